#!/usr/bin/env python3
"""A player that speaks Railbird's lines: raises with pairs, else calls small bets. It imports nothing of Railbird.

    railbird match "lines:python3 examples/lines_caller.py" always-call --hands 100

The protocol is told in docs/programs.md.
"""

import json
import sys


def decision(view):
    """What to do where `view` shows the table: one of the legal actions."""
    legal = {each["action"]: each for each in view["legal"]}
    first, second = view["hole_cards"]
    for word in ("bet", "raise"):
        if word in legal and first[0] == second[0]:
            return {"action": word, "to": legal[word]["least"]}
    if "check" in legal:
        return {"action": "check"}
    return {"action": "call" if view["to_call"] <= view["pot"] / 2 else "fold"}


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": "railbird-lines/1"}), flush=True)
    elif message["type"] == "act":
        print(json.dumps(decision(message)), flush=True)
