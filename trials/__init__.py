"""What Railbird must stand: bots that hurt or cheat, kills and stops at any moment, inputs that nobody would write.

`python -m trials attacks`, `kills` and `fuzz` run on demand; the tests run a short form of each.
"""
