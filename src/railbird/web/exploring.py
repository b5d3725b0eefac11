"""What the explorer answers: a holding against a range, and what the bots would do. Thinkers work it out.

Everything here takes and returns plain values, which travel between processes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np
from markupsafe import Markup

from railbird.bots.base import Bot
from railbird.bots.reasons import Explanation, explain
from railbird.bots.registry import bot_entries, make_bot
from railbird.cards import CARD_COUNT, parse_cards
from railbird.errors import IllegalActionError, InvalidCardsError, RailbirdError, UnknownBotError
from railbird.odds.holding_odds import Odds
from railbird.odds.ranges import grid, grid_name, parse_range, range_text
from railbird.odds.run_outs import run_outs

Cells = tuple[tuple[float | None, ...], ...]
"""A number for each of 13 x 13 classes of holdings; none where there is none."""
SLOW_BOTS = ("vexbot2",)
"""As slow as all the others together: another thinker asks it meanwhile."""
LATE_BOTS = ("resolver",)
"""They may think for a second or more: asked apart, when the others have answered."""
_BOARDS = ("", "3h4cJh", "3h4cJh2d", "3h4cJh2d9s")
_KEPT = 512
"""Answers that a thinker remembers."""


@dataclass(frozen=True)
class Situation:
    """What somebody looks at: his cards, the board, the opponent's range, and the betting that the bots are told."""

    cards: str = ""
    board: str = ""
    versus: str = "any"
    history: str = ""
    seats: int = 2
    own: str = ""
    """His range, where he has no cards but a range."""

    @property
    def wanted(self) -> str:
        """What is missing before there is an answer, in words; nothing where all is there."""
        cards, board = len(parse_cards(self.cards)), len(parse_cards(self.board))
        if cards < 2 and not self.own:
            return "Choose two cards for yourself." if not cards else "Choose one more card for yourself."
        if board in (1, 2):
            return f"A flop has three cards: choose {'one' if board == 2 else 'two'} more for the board."
        return ""


@dataclass(frozen=True)
class Explored:
    """All that is said of a holding against a range."""

    hand: str
    quantities: tuple[tuple[str, float | None, str], ...]
    histogram: tuple[float, ...]
    """The chances of the tenths of strength, from the worst; nothing on a river."""
    histogram_of: str
    next_cards: tuple[tuple[int, float | None], ...]
    """Each card of the deck with the strength after it; none for those that cannot come. Nothing on other streets."""
    equities: Cells


@dataclass(frozen=True)
class Advice:
    """What a bot would do, in a few words; or why it does not say."""

    bot: str
    verb: str
    reason: str

    @property
    def is_awaited(self) -> bool:
        """Whether the bot has not been asked yet."""
        return not self.verb and not self.reason

    @property
    def kind(self) -> str:
        """The first word: fold, check, call, bet or raise; nothing where the bot does not say."""
        return self.verb.split(" ")[0]


@dataclass(frozen=True)
class Reasons:
    """Why a bot would do it: its explanation in pieces of HTML, and how it weighs the opponents' holdings."""

    bot: str
    verb: str
    reason: str
    in_bets: str
    """The verb with its amount in small bets, as replays have amounts."""
    small_bet: int
    """Its size in chips, in which all else is told."""
    parts: tuple[Markup, ...]
    weights: Cells | None
    full: str
    """What a weight of 1 means."""


@lru_cache(_KEPT)
def explored(cards: str, board: str, versus: str) -> Explored:
    """Strength, potential, equity, outs, where the cards to come lead, and the equity against each class."""
    odds = Odds.parse(cards, board, versus)
    chances, words = _run_out(odds)
    return Explored(
        hand=odds.hand_words,
        quantities=tuple((row["quantity"], row["probability"], row["meaning"]) for row in odds.rows()),
        histogram=chances,
        histogram_of=words,
        next_cards=_next_cards(odds),
        equities=as_cells(odds.equity_grid),
    )


def range_cells(versus: str) -> tuple[str, Cells]:
    """A range in few terms, and the mean weight of each class."""
    weights = parse_range(versus)
    return range_text(weights) if not versus.strip().endswith("%") else versus.strip(), as_cells(grid(weights))


def advised(bots: tuple[str, ...], situation: Situation) -> list[Advice]:
    """What each of these bots would do."""
    return [_advice(bot, situation) for bot in bots]


def reasons(bot: str, situation: Situation) -> Reasons:
    """A bot's decision with all that led to it."""
    found = _explained(bot, situation)
    weights = found.decision.weights
    cells = None if weights is None else as_cells(np.array(found.class_weights()))
    parts = tuple(part.html() for part in found.parts())
    verbs = found.verb, found.reason, _in_bets(found)
    return Reasons(bot, *verbs, found.view.game.small_bet, parts, cells, weights.full if weights else "")


def _in_bets(found: Explanation) -> str:
    """What a bot does in limit hold'em, with its amount in small bets."""
    word, _, chips = found.verb.partition(" ")
    return f"{word} {int(chips) / found.view.game.small_bet:g} sb" if chips else word


def bot_names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The bots that can be asked: one of each kind, and the variants of these."""
    kinds: list[str] = []
    variants: list[str] = []
    seen: set[str] = set()
    for name, entry in bot_entries().items():
        (variants if entry.target in seen and entry.presets else kinds).append(name)
        seen.add(entry.target)
    return tuple(kinds), tuple(variants)


def class_names() -> list[list[str]]:
    """The names of the classes, as they lie on the grid."""
    return [[grid_name(row, column) for column in range(13)] for row in range(13)]


def warm_odds() -> Iterator[None]:
    """Load the kernels that answers need, step by step."""
    for board in _BOARDS:
        explored("AdQc", board, "any")
        yield


def warm_bots() -> Iterator[None]:
    """Load the bots, each with what it needs on every street; those that think long have processes of their own."""
    for bot in (each for each in sum(bot_names(), ()) if each not in LATE_BOTS):
        for board in _BOARDS:
            _advice(bot, Situation("AdQc", board))
            yield


def _advice(name: str, situation: Situation) -> Advice:
    try:
        found = _explained(name, situation)
    except (IllegalActionError, InvalidCardsError):
        raise  # the situation is at fault, not the bot
    except RailbirdError as error:
        return Advice(name, "", str(error))
    return Advice(name, found.verb, found.reason)


def _explained(bot: str, situation: Situation) -> Explanation:
    history = situation.history or None
    found = explain(situation.cards, situation.board, history, situation.seats, _bot(bot))
    return replace(found, bot=bot)


@cache
def _bot(name: str) -> Bot:
    """A bot of this name, made once; `explain` asks a copy of it. Bots from files are not for a server's visitors."""
    if name not in bot_entries():
        raise UnknownBotError(f"no bot {name[:40]!r} here (all: railbird bots)")
    return make_bot(name)


def _run_out(odds: Odds) -> tuple[tuple[float, ...], str]:
    if odds.street == "river":
        return (), ""
    found = run_outs(odds.holding, odds.board, odds.weights)
    words = "the flop" if odds.street == "preflop" else "the river"
    return tuple(found.histogram().tolist()), words


def _next_cards(odds: Odds) -> tuple[tuple[int, float | None], ...]:
    if odds.outs is None:
        return ()
    after = {card.card: card.hand_strength for card in odds.outs.next_cards}
    return tuple((card, after.get(card)) for card in range(CARD_COUNT))


def as_cells(values: np.ndarray) -> Cells:
    """Numbers of 13 x 13 classes, as plain values."""
    return tuple(tuple(None if np.isnan(value) else round(value, 4) for value in row) for row in values.tolist())
