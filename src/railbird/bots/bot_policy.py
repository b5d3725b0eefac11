"""A bot as a strategy that a best response walks over: it is asked for its probabilities, node by node and board by
board, for all holdings at once.

What a bot says is believed after it has been asked at some random places, twice each and with other questions between:
the answers must be chances, must not change, and with `every` must be what they are without. They are looked at again
wherever it is asked. If suits made no difference at any of these places they are taken to make none. Whatever is asked
of a bot, it is asked one question at a time; threads share the rest of the work.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import local
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import Bot
from railbird.bots.told_chances import TOLERANCE, own_chances, place_words, told_chances
from railbird.cards import CARD_COUNT, cards_text, holding_cards, holding_text
from railbird.errors import RailbirdError, UnknownBotError
from railbird.game.betting import Betting
from railbird.game.betting_rounds import betting_rounds
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.odds.effective import possible_holdings
from railbird.progress import PATIENCE_SECONDS, Watch, live_bar
from railbird.solve.flops import Flops, card_images, orbits, relabellings, symmetries_of
from railbird.solve.function_policy import AskingPolicy
from railbird.solve.policy import Floats, Reach, scaled_to_legal

Array = NDArray[np.float64]
_PLACES = 24
"""At so many places a bot is asked before it is believed."""
_ASKED_AGAIN = 512
"""Of so many questions one is asked again, to see whether the answer stays."""
_COUNTED = 20
"""So many flops or a few more are counted out, to say what all of them cost."""
NAMES = ("bot", "opponent")
Part = TypeVar("Part")


def silence(name: str, bot: Bot, so: str) -> UnknownBotError:
    """That a bot does not tell its probabilities, what follows from that, and the way out."""
    is_ours = type(bot).__module__.startswith("railbird.")
    way = "has those that do" if is_ours else "tells how to add probabilities(self, view, every=False)"
    return UnknownBotError(
        f"{name} does not tell its probabilities for all holdings, so {so}; docs/exploitability.md {way}"
    )


@dataclass(frozen=True)
class QuestionCost:
    """How many questions a best response asks of a bot at most, and how long one takes."""

    questions: int
    seconds_each: float

    @property
    def seconds(self) -> float:
        return self.questions * self.seconds_each


class BotPolicy(AskingPolicy):
    """A bot that tells its probabilities for all holdings, as it is now: nothing is shown to it meanwhile.

    hand: the number of the hand that it is asked in.
    """

    def __init__(self, bot: Bot, game: Game, name: str = "", hand: int = 0) -> None:
        super().__init__(game)
        self.bot, self.name, self.hand = bot, name or type(bot).__name__, hand
        self._start = Betting.start(game)
        self._nodes: dict[int, tuple[Betting, Hashable]] = {}
        self._here = local()
        self.is_suit_blind = True
        if not bot.can_play(game):
            raise UnknownBotError(f"{self.name} does not play {game.name}")
        self._look_at_answers()

    # What the bot says

    def _asked(self, node: int, board: tuple[int, ...], wanted: Reach) -> Floats:
        betting, seen = self._node(node)
        known: dict[Hashable, Floats] = self._here.known if getattr(self._here, "board", None) == board else {}
        self._here.board, self._here.known = board, known
        if seen in known:
            return known[seen]
        with self._lock:
            said = self._said(betting, board)
            if self.calls % _ASKED_AGAIN == 0:
                self._refuse_change(betting, board, said, self._said(betting, board))
        found = scaled_to_legal(said, self._tree.child[node] >= 0)
        if seen is not None:
            known[seen] = found
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_here": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__({**state, "_here": local()})

    def _node(self, node: int) -> tuple[Betting, Hashable]:
        """The betting at a node, and what the bot sees of it."""
        if node not in self._nodes:
            betting = self._start.play(self._tree.history[node])
            seen = self.bot.betting_seen(betting)
            self._nodes[node] = betting, None if seen is None else (betting.street, betting.to_act, seen)
        return self._nodes[node]

    def _said(self, betting: Betting, board: tuple[int, ...]) -> Array:
        """What the bot says for all holdings, which are chances where the board leaves them possible."""
        self._count(1)
        return self._told(told_chances, self._view(betting, board))

    def _told(self, ask: Callable[..., Array | None], view: PlayerView) -> Array:
        """What it says of all holdings, or of one. Chances of what is not legal are shared out among the others."""
        said = ask(self.bot, view, self.name, is_legal_only=False)
        if said is None:
            raise silence(self.name, self.bot, "its best response cannot be computed")
        return said

    def _view(self, betting: Betting, board: tuple[int, ...], hole: tuple[int, ...] = ()) -> PlayerView:
        held = hole or tuple([card for card in range(CARD_COUNT) if card not in board][:2])
        names = NAMES if betting.to_act == 0 else NAMES[::-1]
        return PlayerView(betting, betting.to_act, held, board, self.hand, names)

    # Whether it can be believed

    def _look_at_answers(self) -> None:
        """Refuse a bot whose answers change, differ with `every`, or with what it says that it does not see."""
        places = list(self._places())
        with live_bar("looking at answers", "questions", PATIENCE_SECONDS) as watch:
            before = [self._said(*place) for place in _told(places, watch, 0)]
            for (betting, board), said in _told(list(zip(places, before)), watch, 1):
                self._refuse_change(betting, board, said, self._said(betting, board))
            for (betting, board), said in zip(places, before):
                self._compare_own(betting, board, said)
            self._compare_alike()
            self.is_suit_blind = all(
                self._is_blind(at, *place, said)
                for at, (place, said) in enumerate(_told(list(zip(places, before)), watch, 2))
            )

    def _places(self) -> Iterator[tuple[Betting, tuple[int, ...]]]:
        """Random decisions on random boards, the same for everybody."""
        generator = np.random.default_rng(0)
        for at in range(_PLACES):
            rounds = betting_rounds(self._game)[at % 4]
            board = tuple(generator.permutation(CARD_COUNT)[: self._game.board_seen(at % 4)].tolist())
            node = int(rounds.openings[generator.integers(len(rounds))] + generator.choice(rounds.decisions))
            yield self._node(node)[0], board

    def _refuse_change(self, betting: Betting, board: tuple[int, ...], before: Array, again: Array) -> None:
        if np.abs(before - again).max() > TOLERANCE:
            at = int(np.abs(before - again).max(axis=1).argmax())
            was, now = (tuple(np.round(each[at], 4).tolist()) for each in (before, again))
            raise RailbirdError(
                f"{self.name} gives {was} and then {now} for {holding_text(at)} on {cards_text(board) or 'no board'} "
                f"after {betting.history!r}: asked twice, a bot must answer the same"
            )

    def _compare_own(self, betting: Betting, board: tuple[int, ...], said: Array) -> None:
        """Hold what it says for one holding against what it says for all."""
        generator = np.random.default_rng(len(betting.history))
        holding = int(generator.choice(np.flatnonzero(possible_holdings(board))))
        view = self._view(betting, board, holding_cards(holding))
        own = self._told(own_chances, view)
        if np.abs(own - said[holding]).max() > TOLERANCE:
            every = tuple(np.round(said[holding], 4).tolist())
            raise RailbirdError(
                f"{self.name} gives {tuple(np.round(own, 4).tolist())} with {holding_text(holding)} "
                f"{place_words(view)}, and {every} for it with every=True"
            )

    def _compare_alike(self) -> None:
        """Hold decisions against each other that the bot says it sees alike."""
        generator = np.random.default_rng(1)
        for street in range(self._game.streets):
            board = tuple(generator.permutation(CARD_COUNT)[: self._game.board_seen(street)].tolist())
            alike: dict[Hashable, list[int]] = {}
            for node in self._tree.decisions[street].tolist():
                alike.setdefault(self._node(node)[1] or node, []).append(node)
            shared = [nodes for nodes in alike.values() if len(nodes) > 1]
            for pick in generator.permutation(len(shared))[:_PLACES].tolist():
                first, second = (self._node(int(n))[0] for n in generator.choice(shared[pick], 2, replace=False))
                gap = np.abs(self._said(first, board) - self._said(second, board)).max(axis=1)
                if gap.max() > TOLERANCE:
                    raise RailbirdError(
                        f"{self.name} sees {first.history!r} and {second.history!r} alike (betting_seen), and gives "
                        f"{holding_text(int(gap.argmax()))} other chances on {cards_text(board) or 'no board'}"
                    )

    def _is_blind(self, at: int, betting: Betting, board: tuple[int, ...], said: Array) -> bool:
        """Whether suits do not matter at a place: relabelled, it says the same."""
        number = 1 + 7 * at % 23
        image = tuple(card_images()[number][card] for card in board)
        other = self._said(betting, image)[relabellings()[number]]
        return float(np.abs(other - said).max()) <= TOLERANCE

    # What it costs

    @cached_property
    def seconds_per_question(self) -> float:
        """How long a question takes, on average over some river places on two boards."""
        generator, nodes = np.random.default_rng(2), self._tree.decisions[3]
        places = [self._node(node)[0] for node in generator.choice(nodes, min(_PLACES, len(nodes)), False).tolist()]
        since = perf_counter()
        for _ in range(2):
            board = tuple(generator.permutation(CARD_COUNT)[:5].tolist())
            for betting in places:
                self._said(betting, board)
        return (perf_counter() - since) / (2 * len(places))

    def cost(self, flops: Flops, numbers: list[int]) -> QuestionCost:
        """About what some flops cost at most: if the bot gets to every decision on every board."""
        seen = [len({self._node(node)[1] or node for node in nodes.tolist()}) for nodes in self._tree.decisions]
        some = numbers[:: max(1, len(numbers) // _COUNTED)]
        total = 0
        for number in some:
            turns, rivers = boards_below(flops.cards(number), flops.relabellings)
            total += seen[1] + turns * seen[2] + rivers * seen[3]
        return QuestionCost(round(total * len(numbers) / len(some)), self.seconds_per_question)


def _told(parts: Sequence[Part], watch: Watch | None, round_: int) -> Iterator[Part]:
    """The places of one of three rounds, of which a bar is told."""
    for at, part in enumerate(parts, start=round_ * len(parts)):
        yield part
        if watch:
            watch(at + 1, 3 * len(parts))


def boards_below(flop: tuple[int, ...], among: Sequence[int]) -> tuple[int, int]:
    """How many turn and river boards are worked below a flop."""
    symmetries = symmetries_of(flop, among)
    turns = orbits(flop, symmetries)
    rivers = sum(len(orbits((*flop, card), symmetries_of((card,), symmetries))) for card, _ in turns)
    return len(turns), rivers
