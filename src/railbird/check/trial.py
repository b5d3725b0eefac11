"""Trial hands: one bot among opponents that ignore their cards, played the same way as often as wanted.

Everything but the bot follows from the seed, so two runs of the same hands differ only where the bot itself does. This
is what `railbird.check.check_bot` compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import monotonic

from railbird.bots.base import Bot
from railbird.game.actions import CALL, FOLD, RAISE, Action, ProbabilityTriple, raise_to
from railbird.game.record import HandRecord
from railbird.game.showdown import showdown_rank
from railbird.game.spec import Game, Structure, limit_holdem, no_limit_holdem
from railbird.game.view import PlayerView
from railbird.play.asking import Wrong
from railbird.play.clock import Clock, time_limit
from railbird.play.faults import FaultKind
from railbird.play.hand import Deal, HandPlayer
from railbird.play.hands import hands_of
from railbird.play.seating import seating
from railbird.randomness import Stream, derived_seed

HANDS_BY_SEATS = {2: 60, 3: 30, 6: 24, 10: 20}
"""How many hands are tried, by the number of seats."""


def trial_games(bot: Bot | None = None) -> list[Game]:
    """New copies of the games that are tried, or of those a bot can play: limit, and no-limit with 50 big blinds."""
    games = [
        *[limit_holdem(seats) for seats in HANDS_BY_SEATS],
        *[no_limit_holdem(seats, stack=5_000) for seats in HANDS_BY_SEATS],
    ]
    return games if bot is None else [game for game in games if bot.can_play(game)]


def game_text(game: Game) -> str:
    """The game in a few words.

    >>> game_text(limit_holdem(6))
    'limit with 6 seats'
    """
    return f"{game.name} with {game.seats} seats"


def games_text(games: Iterable[Game]) -> str:
    """Several games in few words.

    >>> games_text([limit_holdem(2), limit_holdem(3), no_limit_holdem(2)])
    'limit with 2, 3 seats and no-limit with 2 seats'
    """
    seats: dict[str, list[str]] = {}
    for game in games:
        seats.setdefault(game.name, []).append(str(game.seats))
    return " and ".join(f"{name} with {', '.join(numbers)} seats" for name, numbers in seats.items())


def is_kind_of_game(failing: set[str]) -> bool:
    """Whether a bot seems made for other games: it fails from some number of seats on, or in one structure.

    Both may be the case; but what fails in one structure from some number of seats on and never in the other is chance.
    """
    by_structure: dict[str, list[bool]] = {}
    for game in trial_games():
        by_structure.setdefault(game.name, []).append(game_text(game) in failing)
    patterns = list(by_structure.values())
    if any(pattern != sorted(pattern) for pattern in patterns) or all(map(all, patterns)):
        return False
    return patterns[0] == patterns[1] or any(map(all, patterns))


@dataclass(frozen=True)
class Incident:
    """Something that a bot did wrong, where it stood, and the line of the bot's file if it is known."""

    kind: FaultKind
    message: str
    game: Game
    hand: int
    example: str
    line: str


@dataclass(frozen=True)
class Difference:
    """The first decision in which two runs of the same hands differ."""

    game: Game
    view: PlayerView
    actions: tuple[str, str]

    def __str__(self) -> str:
        return f"{game_text(self.game)}: {self.view!r}: {self.actions[0]!r}, then {self.actions[1]!r}"


class Stopwatch(Clock):
    """Notes how long each decision of the bot took."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[float] = []
        self._is_bot = False
        self._began = 0.0

    def start(self, call: int, thought: float = 0.0) -> None:
        self._is_bot = call >= 0
        super().start(call, thought)
        self._began = monotonic() - max(0.0, thought)

    def stop(self) -> None:
        if self._is_bot:
            self.seconds.append(monotonic() - self._began)
        super().stop()

    def ignore(self) -> None:
        """The player who is thinking is not the bot."""
        self._is_bot = False


class Opponent(Bot):
    """Decides by chance, whatever its cards; where sizes are free it mostly raises little."""

    _TRIPLE = ProbabilityTriple(0.1, 0.6, 0.3)

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch

    def act(self, view: PlayerView) -> Action:
        self._stopwatch.ignore()
        kind = self._TRIPLE.pick(view.can_fold, view.can_raise, self.rng.random())
        if kind != "r":
            return FOLD if kind == "f" else CALL
        if view.game.structure is Structure.FIXED_LIMIT:
            return RAISE
        least, most = view.betting.min_raise_to, view.betting.max_raise_to
        return raise_to(least + int((most - least) * self.rng.random() ** 6))


class Trial(HandPlayer):
    """A bot at a table of one game, as player 0 among `Opponent`s. Its hands are those of the seed."""

    def __init__(self, bot: Bot, game: Game, seed: int, seconds: float, stopwatch: Stopwatch | None = None) -> None:
        self.bot = bot
        self.stopwatch = stopwatch or Stopwatch()
        self.incidents: list[Incident] = []
        self._seconds = seconds
        self.seating = seating(game.seats, duplicate=False)
        self._bot_seed = derived_seed(seed, "bots")
        bots = [self.bot, *[Opponent(self.stopwatch) for _ in range(1, game.seats)]]
        super().__init__(game, bots, ["bot", *[f"opponent-{i}" for i in range(1, game.seats)]], self.stopwatch)

    @property
    def is_too_slow(self) -> bool:
        """Whether the bot had to be interrupted, or was lost."""
        return self.timeouts[0] > 0 or self.late_hooks[0] > 0

    def trouble(self) -> Incident:
        """Where it was interrupted or lost."""
        late = [each for each in self.incidents if each.kind is FaultKind.TIMEOUT or each.kind is FaultKind.HOOK]
        return next((each for each in late if each.kind is FaultKind.TIMEOUT), late[-1])

    def seed(self, hand: int) -> None:
        for player, bot in enumerate(self.bots):
            self.seed_bot(player, bot, (self._bot_seed, hand, 0, player))

    def reset_bot(self) -> str:
        """Have the bot forget; what went wrong, if something did."""
        self._call(0, 0, "reset")
        self._settle(0)
        wrong = [fault.message for fault in self.faults]
        self.faults.clear()
        return wrong[0] if wrong else ""

    def try_hand(self, deal: Deal) -> HandRecord:
        """Play one hand."""
        with time_limit(self.stopwatch, self._seconds):
            [(record, _, faults)] = hands_of(self, [deal], self.seating)
        for fault in faults:
            if fault.kind is FaultKind.HOOK:
                where = f"{game_text(self.game)}: hand {deal.number}, {record.history!r}"
                self.incidents.append(Incident(fault.kind, fault.message, self.game, deal.number, where, fault.place))
        return record

    def _fault(self, view: PlayerView, player: int, wrong: Wrong) -> Action:
        action = super()._fault(view, player, wrong)
        where, place = f"{game_text(self.game)}: {view!r}", self.faults[-1].place
        self.incidents.append(Incident(wrong.kind, wrong.message, self.game, view.hand_number, where, place))
        return action


def position_of_bot(record: HandRecord) -> int:
    return record.names.index("bot")


def with_other_hidden_cards(deal: Deal, record: HandRecord, keep_shown: bool) -> Deal:
    """The deal with new cards wherever the bot never saw the old ones in `record`.

    With `keep_shown` the cards shown down stay as they were; without it only the bot's own and the board do.
    """
    game, own = record.game, position_of_bot(record)
    final = record.final()
    shown = final.live if keep_shown and final.is_showdown else ()
    kept = {position: deal.holes[position] for position in (own, *shown)}
    known = {card for hole in kept.values() for card in hole} | set(record.board)
    missing = game.seats * game.hole_cards + sum(game.board_cards) - len(known)
    new = Stream(deal.number, 1).deal([card for card in game.deck if card not in known], missing)
    holes = tuple(kept[p] if p in kept else (new.pop(), new.pop()) for p in range(game.seats))
    board = (*record.board, *new)
    return deal._replace(holes=holes, board=board, ranks=[showdown_rank(game, hole, board) for hole in holes])


def first_difference(first: Sequence[HandRecord], second: Sequence[HandRecord]) -> Difference | None:
    """Where the bot first decided differently in the second run, if it did."""
    for one, other in zip(first, second):
        if one.history == other.history:
            continue
        for (node, action), (_, instead) in zip(one.steps(), other.steps()):
            if action != instead:
                board = one.board_on(node.street)
                view = PlayerView(node, node.to_act, one.holes[node.to_act], board, one.number, one.names)
                return Difference(one.game, view, (str(action), str(instead)))
    return None
