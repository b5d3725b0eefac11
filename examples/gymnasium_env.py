"""Hold'em against a bot as an environment of Gymnasium; needs: pip install 'railbird[gymnasium]'"""

from railbird.envs import HoldemEnv

env = HoldemEnv("expert")
row, info = env.reset(seed=7)
won, hands = 0.0, 0
while hands < 200:
    action = env.action_space.sample(info["action_mask"])
    row, reward, ended, truncated, info = env.step(action)
    if ended:
        row, info = env.reset()
        won, hands = won + reward + info["unasked_sb"], hands + 1 + info["unasked_hands"]
print(f"a player by chance: {won / hands:+.2f} sb/hand against expert, {hands} hands")
