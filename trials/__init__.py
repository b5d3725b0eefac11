"""What Railbird must stand: bots that hurt or cheat, kills and stops at any moment, inputs that nobody would write,
long matches over a wire.

`python -m trials attacks`, `kills`, `fuzz` and `soak` run on demand; the tests run a short form of each.
"""
