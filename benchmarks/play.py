"""Whole hands of heads-up limit hold'em per second: compiled players, Python players, and other engines.

The equilibrium plays itself both ways, inside the kernel and asked decision by decision, for the same log lines.
The Python players do nothing but call, through the full interface: dealing, a view for every decision, and the line of
the log. The other engines deal and play the same hand (everybody calls to the showdown) in the loop their documentation
shows, without a record being kept.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib.util import find_spec

from benchmarks.timing import Row, against_peer, best_seconds, per_second
from railbird.bots.base import Bot
from railbird.game.actions import CALL, Action
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.play.block_check import check_block
from railbird.play.blocks import _play_bots, play_blocks
from railbird.play.match import MatchSpec

HANDS = 500
COMPILED_HANDS = 200_000
TABLE_HANDS = 40_000


class Caller(Bot):
    """Does nothing."""

    def act(self, view: PlayerView) -> Action:
        return CALL


def rows() -> list[Row]:
    caller = f"{__file__}:Caller"
    ours = {seats: MatchSpec(limit_holdem(seats), (caller,) * seats, HANDS, 1, housing=None) for seats in (2, 3, 6, 10)}
    boxed = {
        "a bot in a box v always-call": MatchSpec(limit_holdem(), (caller, "always-call"), HANDS, 1),
        "two bots in boxes": MatchSpec(limit_holdem(), (caller, caller), HANDS, 1),
    }
    shared = list(play_blocks(ours[2], 0, 0, HANDS))
    compiled = {
        "always-call v always-raise": MatchSpec(limit_holdem(), ("always-call", "always-raise"), COMPILED_HANDS, 1),
        "random v random": MatchSpec(limit_holdem(), ("random", "random"), COMPILED_HANDS, 1),
    }
    tables = MatchSpec(limit_holdem(), ("equilibrium", "equilibrium"), TABLE_HANDS, 1)
    peers = {name: make() for name, make in _PEERS.items() if find_spec(_MODULES.get(name, name))}
    times = best_seconds(
        {
            **{f"{seats} callers": _playing(spec) for seats, spec in ours.items()},
            **{name: _playing(spec) for name, spec in {**compiled, **boxed}.items()},
            "dealt and paid again": lambda: [check_block(ours[2], block) for block in shared],
            "tables": _playing(tables),
            "tables, asked": lambda: list(_play_bots(tables, 0, 0, HANDS, (), None, {})),
            **{name: run for name, (run, _) in peers.items()},
        },
        rounds=15,
    )
    alone = times["2 callers"] / HANDS
    found = [per_second(f"compiled, {name}, log lines", times[name] / COMPILED_HANDS, 5e6) for name in compiled]
    by_table, asked = times["tables"] / TABLE_HANDS, times["tables, asked"] / HANDS
    found.append(per_second("compiled, equilibrium v equilibrium, log lines", by_table, 1e5))
    found.append(against_peer("compiled, equilibrium v equilibrium, a hand", by_table, "asked each decision", asked))
    found.append(per_second("Python bots, 2 seats, log lines", alone, 49_000))
    again = times["dealt and paid again"] / HANDS
    found.append(per_second("Python bots, 2 seats, --trusted: hands dealt and paid again", alone + again, 15_000))
    found += [per_second(f"Python bots, 2 seats, {name}, log lines", times[name] / HANDS) for name in boxed]
    for seats in (3, 6, 10):
        rate = HANDS / times[f"{seats} callers"]
        found.append(Row(f"Python bots, {seats} seats, log lines", "", "", f"{rate:,.0f} hands/s"))
    for name, (_, count) in peers.items():
        found.append(against_peer("Python bots, 2 seats, a hand", alone, name, times[name] / count))
    return found


def _playing(spec: MatchSpec) -> Callable[[], None]:
    def run() -> None:
        for _ in play_blocks(spec, 0, 0, spec.hands):
            pass

    return run


_Run = tuple[Callable[[], None], int]


def _open_spiel() -> _Run:
    import pyspiel

    game = pyspiel.load_game(
        "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=2 1,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
        "numHoleCards=2,numBoardCards=0 3 1 1,raiseSize=2 2 4 4,maxRaises=3 4 4 4)"
    )
    generator = random.Random(1)

    def run() -> None:
        for _ in range(HANDS):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(generator.choice(state.legal_actions()))
                else:
                    state.apply_action(1)
            state.returns()

    return run, HANDS


def _pokerkit() -> _Run:
    from pokerkit import Automation, FixedLimitTexasHoldem

    everything = tuple(Automation)

    def run() -> None:
        for _ in range(HANDS // 50):
            state = FixedLimitTexasHoldem.create_state(everything, True, 0, (1, 2), 2, 4, 200, 2)
            while state.status:
                state.check_or_call()

    return run, HANDS // 50


def _rlcard() -> _Run:
    import rlcard

    env = rlcard.make("limit-holdem", config={"seed": 1})
    call, check = env.actions.index("call"), env.actions.index("check")

    def run() -> None:
        for _ in range(HANDS // 10):
            state, _player = env.reset()
            while not env.is_over():
                state, _player = env.step(call if call in state["legal_actions"] else check)
            env.get_payoffs()

    return run, HANDS // 10


_PEERS = {"open_spiel": _open_spiel, "rlcard": _rlcard, "pokerkit": _pokerkit}
_MODULES = {"open_spiel": "pyspiel"}
