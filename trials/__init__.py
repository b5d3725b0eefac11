"""What Railbird must stand: bots that hurt or cheat, kills and stops at any moment, inputs that nobody would write,
long matches over a wire; and whether its intervals hold what they promise.

`python -m trials attacks`, `kills`, `fuzz`, `soak` and `coverage` run on demand; the tests run a short form of each.
"""
