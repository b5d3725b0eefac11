"""A thousand tables in one kernel as a vectorised environment of Gymnasium; needs: pip install 'railbird[gymnasium]'"""

import numpy as np

from railbird.envs import HoldemTables

tables, random = HoldemTables("equilibrium", tables=1000), np.random.default_rng(7)
rows, info = tables.reset(seed=7)
won, hands = info["unasked_sb"].sum(), info["unasked_hands"].sum()
for _ in range(100):
    actions = (random.random((1000, 3)) * info["action_mask"]).argmax(axis=1)
    rows, rewards, ended, truncated, info = tables.step(actions)
    won, hands = won + rewards.sum() + info["unasked_sb"].sum(), hands + ended.sum() + info["unasked_hands"].sum()
print(f"a player by chance: {won / hands:+.2f} sb/hand against equilibrium, {hands:.0f} hands")
