"""Six agents at a table of PettingZoo; needs: pip install 'railbird[pettingzoo]'"""

from railbird.envs import HoldemTable

table = HoldemTable(6, render_mode="ansi")
table.reset(seed=7)
for agent in table.agent_iter():
    seen, reward, ended, truncated, info = table.last()
    if ended:
        print(f"{agent} at position {info['position']}: {reward:+.1f} sb")
    table.step(None if ended else table.action_space(agent).sample(seen["action_mask"]))
