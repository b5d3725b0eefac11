"""Vexbot's and Vexbot2's time for a decision on one core, by street and over hands; target 50 ms median, 250 at 99%.

`python -m benchmarks.vexbot AsKs Td9d` measures the sampling before the flop against all flops, turns and rivers, with
the default model: minutes for each holding. `python -m benchmarks.vexbot --flop` measures how far the values of
Vexbot2's search on the flop are from those over all cards, by how many cards it deals.
"""

from __future__ import annotations

import sys
from itertools import combinations, permutations
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Row, duration_text
from railbird.bots.base import Bot
from railbird.bots.equilibrium import strategy_of
from railbird.bots.expert import ExpertBot
from railbird.bots.registry import make_bot
from railbird.cards import CARD_COUNT, parse_cards
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import STREETS, limit_holdem
from railbird.game.view import PlayerView
from railbird.modeling.context_tree import ContextTree
from railbird.play.dealing import deals
from railbird.play.hand import HandPlayer
from railbird.search.belief import MOST_RIVERS, MOST_TURNS, BeliefSearch
from railbird.search.defaults import equilibrium_defaults
from railbird.search.futures import future
from railbird.search.holding_model import HoldingModel
from railbird.search.miximax import Reading, search

HANDS = 400
HOLDINGS = 12
FLOPS = (("3h4cJh", "rc/r"), ("ThJc2d", "rc/cr"), ("KsKd8s", "cc/r"))
"""Flop and history of decisions after a bet."""
DEALT = ((3, 2), (6, 4), (12, 8))
"""Turns, and rivers for each."""
WHERE = (("c", ""), ("rc/r", "3h4cJh"), ("rc/rc/r", "3h4cJh2d"), ("rc/rc/rc/r", "3h4cJh2d9s"))
"""History and board of decisions at which Vexbot2 is asked for all holdings."""
MEDIAN_SECONDS, SLOW_SECONDS = 0.050, 0.250


PLAYERS = ("vexbot", "vexbot:search=miximix", "vexbot2")


def rows() -> list[Row]:
    found = []
    for name in PLAYERS:
        seconds = _decision_seconds(name)
        for street, title in enumerate(STREETS):
            mine = [each for at, each in seconds if at == street]
            found.append(Row(f"{name}, {title}, median of {len(mine)}", duration_text(float(np.median(mine))), "", ""))
        times = [each for _, each in seconds]
        for share, most in ((50, MEDIAN_SECONDS), (99, SLOW_SECONDS)):
            reached = float(np.percentile(times, share))
            found.append(
                Row(
                    f"{name}, all decisions, {share}%",
                    duration_text(reached),
                    "paper about 1 s",
                    f"{1 / reached:.0f}x",
                    f"< {most * 1000:.0f} ms",
                    reached < most,
                )
            )
    return [*found, *_all_holdings_rows()]


def _all_holdings_rows() -> list[Row]:
    """What one who knows Vexbot2 waits for: its probabilities for all holdings, beside those for its own."""
    bot, found = make_bot("vexbot2"), []
    bot.prepare()
    for history, board in WHERE:
        node = Betting.start(limit_holdem()).play(history)
        view = PlayerView(node, node.to_act, (51, 50), parse_cards(board), 0, ("vexbot2", "expert"))
        own, every = (min(_asked(bot, view, which) for _ in range(3)) for which in (False, True))
        words = f"its own {duration_text(own)}"
        found.append(Row(f"vexbot2, all holdings, {history}", duration_text(every), words, f"{every / own:.0f}x"))
    return found


def _asked(bot: Bot, view: PlayerView, every: bool) -> float:
    bot.on_hand(view)  # nothing is left of the last answer
    start = perf_counter()
    bot.probabilities(view, every=every)
    return perf_counter() - start


def _decision_seconds(name: str) -> list[tuple[int, float]]:
    """The street and time of all decisions of a bot that has just met a new opponent, the rule-based player."""
    game, bot = limit_holdem(), make_bot(name)
    players: list[Bot] = [bot, ExpertBot()]
    bot.prepare()
    seconds: list[tuple[int, float]] = []
    act = bot.act

    def timed(view: PlayerView) -> Action:
        start = perf_counter()
        action = act(view)
        seconds.append((view.betting.street, perf_counter() - start))
        return action

    bot.act = timed  # type: ignore[method-assign]
    table = HandPlayer(game, players, (name, "expert"))
    for deal in deals(game, 1, 0, HANDS):
        for player in players:
            player.seed_hand(1, deal.number)
        table.play(deal, (deal.number % 2, 1 - deal.number % 2))
    return seconds


def flop_classes(hole: tuple[int, int]) -> dict[tuple[int, ...], int]:
    """All flops for a holding, one of each kind that suits do not tell apart, with how many are of the kind."""
    keep = [p for p in permutations(range(4)) if {4 * (c // 4) + p[c % 4] for c in hole} == set(hole)]
    found: dict[tuple[int, ...], int] = {}
    for flop in combinations([card for card in range(52) if card not in hole], 3):
        first = min(tuple(sorted(4 * (c // 4) + p[c % 4] for c in flop)) for p in keep)
        found[first] = found.get(first, 0) + 1
    return found


def exact_values(model: ContextTree, histories: list[str], hole: tuple[int, int]) -> list[NDArray[np.float64]]:
    """The values of the actions after histories before the flop, every board that may come being enumerated."""
    readings = [Reading(model, model.tree.node(history)) for history in histories]
    sums: list[NDArray[np.float64]] = []
    one = np.ones((1, 1))
    for flop, count in flop_classes(hole).items():
        cards = future(hole, flop)
        parts = [reading.openings(cards.hand_ranks, (*cards.steps, one)) * (count / 19_600) for reading in readings]
        sums = [total + part for total, part in zip(sums, parts)] if sums else parts
    return [reading.result(np.zeros(1), later).values for reading, later in zip(readings, sums)]


def flop_errors() -> None:
    """Print how far values on flops are from those over all cards, in small bets, over random holdings."""
    model, generator = HoldingModel(strategy_of()), np.random.default_rng(1)
    for flop, history in FLOPS:
        board = parse_cards(flop)
        position = int(model.tree.actor[model.tree.node(history)])
        unseen = [card for card in range(CARD_COUNT) if card not in board]
        errors: dict[tuple[int, int], list[NDArray[np.float64]]] = {dealt: [] for dealt in DEALT}
        for _ in range(HOLDINGS):
            hand = BeliefSearch(model, position, tuple(generator.permutation(unseen)[:2].tolist()))
            exact = hand.search(history, board, MOST_TURNS, MOST_RIVERS).values
            for dealt, found in errors.items():
                found.append(hand.search(history, board, *dealt).values - exact)
        for dealt, found in errors.items():
            calls, raises = np.array(found)[:, 1], np.array(found)[:, 2]
            said = [f"{np.sqrt((each**2).mean()):.2f}" for each in (calls, raises - calls)]
            print(f"{flop} {history} {dealt[0]} x {dealt[1]}: call {said[0]}, raise less call {said[1]}", flush=True)


def main(holdings: list[str]) -> None:
    if holdings == ["--flop"]:
        flop_errors()
        return
    game = limit_holdem()
    model = ContextTree(BettingTree.of(game), defaults=equilibrium_defaults(game))
    histories = ["", "c", "r", "rr"]
    for text in holdings:
        first, second = parse_cards(text, count=2)
        exact = exact_values(model, histories, (first, second))
        for history, values in zip(histories, exact):
            sampled = search(model, model.tree.node(history), future((first, second), ())).values
            print(
                f"{text} after {history!r:5}: exact {_shown(values)}  sampled less exact {_shown(sampled - values)}",
                flush=True,
            )


def _shown(values: NDArray[np.float64]) -> str:
    return " ".join("     -" if np.isnan(value) else f"{value:+.3f}" for value in values)


if __name__ == "__main__":
    main(sys.argv[1:])
