"""Decisions per second in environments: a batch of tables in one kernel, one table, and the peers' tables.

Everybody picks among the legal actions by chance. In the batch and in the environment of Gymnasium the opponent's
decisions are not counted; at the tables of PettingZoo, ours and theirs, every player is an agent, so all are. OpenSpiel
is asked for the observation and the legal actions of each decision, as an environment would.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.timing import Row, against_peer, best_seconds, per_second
from railbird.envs import HoldemEnv, HoldemTable, HoldemTables

TABLES, STEPS = 1024, 4
DECISIONS = 100
_Run = tuple[Callable[[], None], int]


def rows() -> list[Row]:
    batches = {
        "random": _batch("random"),
        "always-call": _batch("always-call"),
        "equilibrium": _batch("equilibrium"),
        "five random": _batch(*["random"] * 5),
    }
    peers = {name: make() for name, make in _PEERS.items() if find_spec(_MODULES[name])}
    runs = {**batches, "Gymnasium": _gymnasium(), "PettingZoo": _table(HoldemTable()), **peers}
    times = best_seconds({name: run for name, (run, _) in runs.items()}, rounds=60, round_seconds=0.004)
    decision = {name: times[name] / count for name, (_, count) in runs.items()}
    targets = {"random": 300_000.0, "always-call": 300_000.0}
    found = [
        per_second(f"{TABLES} tables in a kernel, v {name}", decision[name], targets.get(name), "decisions")
        for name in batches
    ]
    found.append(per_second("HoldemEnv of Gymnasium, v random", decision["Gymnasium"], None, "decisions"))
    found.append(per_second("HoldemTable of PettingZoo", decision["PettingZoo"], None, "decisions"))
    for name in peers:
        found.append(against_peer("HoldemTable, a decision", decision["PettingZoo"], name, decision[name]))
        found.append(against_peer("tables in a kernel, v random, a decision", decision["random"], name, decision[name]))
    return found


def _batch(*opponents: str) -> _Run:
    tables, generator = HoldemTables(*opponents, tables=TABLES, copy=False), np.random.default_rng(1)
    info = tables.reset(seed=1)[1]
    numbers = [generator.random((TABLES, 3)) for _ in range(STEPS)]

    def run() -> None:
        masks = info["action_mask"]
        for each in numbers:
            masks = tables.step((each * masks).argmax(axis=1))[4]["action_mask"]

    return run, TABLES * STEPS


def _gymnasium() -> _Run:
    env, generator = HoldemEnv("random"), random.Random(1)
    env.reset(seed=1)

    def run() -> None:
        _, info = env.reset()
        for _ in range(DECISIONS):
            legal = np.flatnonzero(info["action_mask"]).tolist()
            _, _, ended, _, info = env.step(generator.choice(legal))
            if ended:
                _, info = env.reset()

    return run, DECISIONS


def _table(table: Any) -> _Run:
    """A table of PettingZoo, ours or theirs."""
    generator = random.Random(1)
    table.reset(seed=1)

    def run() -> None:
        decisions = 0
        while decisions < DECISIONS:
            table.reset()
            for _agent in table.agent_iter():
                seen, _reward, ended, _truncated, _info = table.last()
                if ended:
                    table.step(None)
                    continue
                decisions += 1
                table.step(generator.choice(np.flatnonzero(seen["action_mask"]).tolist()))

    return run, DECISIONS


def _pettingzoo() -> _Run:
    from pettingzoo.classic.rlcard_envs.texas_holdem import raw_env

    return _table(raw_env())


def _open_spiel() -> _Run:
    from railbird.envs import spiel_game
    from railbird.game.spec import limit_holdem

    game, generator = spiel_game(limit_holdem()), random.Random(1)

    def run() -> None:
        decisions = 0
        while decisions < DECISIONS:
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                if not state.is_chance_node():
                    decisions += 1
                    state.observation_tensor()
                state.apply_action(generator.choice(legal))
            state.returns()

    return run, DECISIONS


_PEERS = {"texas_holdem": _pettingzoo, "open_spiel": _open_spiel}
_MODULES = {"texas_holdem": "rlcard", "open_spiel": "pyspiel"}
