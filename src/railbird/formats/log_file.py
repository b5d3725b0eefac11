"""One log of heads-up limit hold'em, from bytes to arrays, with everything that is wrong in it.

The kernel reads the plain lines. What it does not accept goes to `line_check.judged`, which reads it or says what is
wrong. Where nobody has said what game it is, the log is read as limit hold'em with reverse blinds and a cap of four
bets, and the payoffs tell how many chips a bet is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidGameError
from railbird.formats.acpc import chips_text, is_hand, parse_record, without_remark
from railbird.formats.hand_arrays import RAISE, UNKNOWN, Problem, scaled_game
from railbird.formats.left_out import MISSING, LeftOut, is_trace
from railbird.formats.line_check import judged, printable
from railbird.formats.readers import readable_formats
from railbird.game.rake import most_rakes
from railbird.game.record import HandRecord
from railbird.game.spec import Game, limit_holdem
from railbird.kernels.cards.ranking import RANKING
from railbird.kernels.play import log_lines

_LINES_AT_ONCE = 100_000
_FAST_NAMES = 64
"""More different names in one file than this are left to the slow reader."""
_MOST_ACTIONS = 64
_MANY = np.iinfo(np.int64).max
_AGREED = 0.9
"""The share of the hands that must agree on the size of the bets."""
_UNFIT = 0.02
"""If more than this share of the hands does not fit, other rules are tried on them..."""
_FEWEST_UNFIT = 3
"""... and the log is refused if more than this many hands more fit those."""
_SLOW_VOTERS = 500


@dataclass
class FileHands:
    """The lines of one log as arrays, one row for each line; `verdicts` says which are hands."""

    verdicts: NDArray[np.uint8]
    numbers: NDArray[np.int64]
    holes: NDArray[np.uint8]
    board: NDArray[np.uint8]
    actions: NDArray[np.uint8]
    action_counts: NDArray[np.uint8]
    last_street: NDArray[np.uint8]
    folder: NDArray[np.int8]
    stakes: NDArray[np.int64]
    results: NDArray[np.int8]
    payoffs: NDArray[np.int64] | NDArray[np.float64]
    """Of a log with parts of chips all are floats."""
    players: NDArray[np.int32]
    names: list[str]
    _places: dict[str, int] = field(default_factory=dict)

    @classmethod
    def empty(cls, lines: int, width: int) -> FileHands:
        return cls(
            verdicts=np.zeros(lines, np.uint8),
            numbers=np.zeros(lines, np.int64),
            holes=np.full((lines, 2, 2), UNKNOWN, np.uint8),
            board=np.full((lines, 5), UNKNOWN, np.uint8),
            actions=np.full((lines, 4, width), UNKNOWN, np.uint8),
            action_counts=np.zeros((lines, 4), np.uint8),
            last_street=np.zeros(lines, np.uint8),
            folder=np.zeros(lines, np.int8),
            stakes=np.zeros(lines, np.int64),
            results=np.zeros(lines, np.int8),
            payoffs=np.zeros((lines, 2), np.int64),
            players=np.zeros((lines, 2), np.int32),
            names=[],
        )

    def put(self, row: int, record: HandRecord) -> None:
        """Write a hand that the slow reader has accepted."""
        node = record.final()
        streets = record.history.split("/")
        self.verdicts[row] = log_lines.HAND
        self.numbers[row] = record.number
        self.holes[row], self.board[row], self.actions[row], self.action_counts[row] = UNKNOWN, UNKNOWN, UNKNOWN, 0
        for position, hole in enumerate(record.holes):
            self.holes[row, position, : len(hole)] = hole
        self.board[row, : len(record.board)] = record.board
        for street, letters in enumerate(streets):
            self.actions[row, street, : len(letters)] = ["fcr".index(letter) for letter in letters]
            self.action_counts[row, street] = len(letters)
        self.last_street[row] = node.street
        self.folder[row] = -1 if node.is_showdown else 1 - node.live[0]
        self.stakes[row] = min(node.committed)
        if self.payoffs.dtype == np.int64 and any(isinstance(chips, float) for chips in record.payoffs):
            self.payoffs = self.payoffs.astype(np.float64)  # whole numbers of the size that is read stay what they are
        self.payoffs[row] = record.payoffs
        for position, name in enumerate([name.strip() for name in record.names]):
            self.players[row, position] = self.place_of(name)

    def place_of(self, name: str) -> int:
        """The place of a name among all names, at their end if it is new."""
        for at in range(len(self._places), len(self.names)):
            self._places.setdefault(self.names[at], at)
        if name not in self._places:
            self.names.append(name)
            self._places[name] = len(self.names) - 1
        return self._places[name]


class LogFile:
    """The reading of one log; `game`, `problems` and `left_out` are known once `read` has been called."""

    def __init__(
        self,
        path: str,
        data: bytes,
        game: Game | None,
        first_line: int = 1,
        may_be_raked: bool = True,
        is_history: bool = False,
    ) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.left_out = LeftOut()
        self.game = game
        self._is_told = game is not None
        self._chatter = 0
        """Lines that are no hands, and do not look like any."""
        self._may_be_raked, self._is_history = may_be_raked, is_history
        self._first_line = first_line
        """The number of the first line of the data, which may be a part of a log."""
        self._data = data.removeprefix(b"\xef\xbb\xbf")
        if b"\n" not in self._data and b"\r" in self._data:
            self._data = self._data.replace(b"\r", b"\n")
        ends = np.flatnonzero(np.frombuffer(self._data, np.uint8) == 10) + 1
        self._is_cut = len(self._data) > 0 and not self._data.endswith(b"\n")
        self._starts = np.concatenate([[0], ends, [len(self._data)] if self._is_cut else []]).astype(np.int64)

    def read(self, watch: Callable[[int], None]) -> FileHands | None:
        """The hands, or nothing where there are none; `watch` is told how many bytes have been read."""
        if b"STATE:" not in self._data:
            self._refuse_file()
            return None
        rules = self.game or limit_holdem()
        hands = self._read_plain(rules, watch)
        game = self.game or self._guessed_game(hands) or rules
        self.game = game
        hands.stakes *= game.small_bet // rules.small_bet
        plain = hands.verdicts == log_lines.HAND
        wrong = plain & ~_agrees(hands, game.small_bet if self._may_be_raked else 0)
        for row in np.flatnonzero((hands.verdicts == log_lines.OTHER) | wrong):
            self._read_slowly(int(row), game, hands)
        self._name_other_bet_sizes(hands, game, np.flatnonzero(wrong))
        self._refuse_lone_rake(hands, game)
        self._refuse_no_limit(hands)
        self._refuse_cut_line(hands)
        self._refuse_namesakes(hands)
        self._refuse_repeats(hands)
        self._check_scores(hands)
        self._note_hidden_cards(hands)
        if not (hands.verdicts == log_lines.HAND).any() and not self.problems:
            self._refuse_file()
        self.problems.sort(key=lambda problem: problem.line)
        self._count_left_out(hands, game, plain)
        return hands

    def _read_plain(self, game: Game, watch: Callable[[int], None] | None = None) -> FileHands:
        """The kernel's reading of all lines under the rules of `game`."""
        lines = len(self._starts) - 1
        caps = [_MANY if most is None else most for most in game.max_raises]
        hands = FileHands.empty(lines, min(_MOST_ACTIONS, max(6, max(caps) + 2)))
        data = np.frombuffer(self._data, np.uint8)
        name_starts, name_ends = np.zeros((2, _FAST_NAMES), np.int64)
        known = 0
        by_street = np.array([game.bet_sizes, caps, game.first_to_act], np.int64).T.copy()
        rules = log_lines.BettingRules(np.array(game.blinds, np.int64), by_street, game.free_fold)
        names = log_lines.Names(name_starts, name_ends)
        found = log_lines.LineHands(*(getattr(hands, name) for name in log_lines.LineHands._fields))
        text = log_lines.Lines(data, self._starts)
        for first in range(0, lines, _LINES_AT_ONCE):
            last = min(lines, first + _LINES_AT_ONCE)
            known = log_lines.read_lines(RANKING, text, first, last, rules, found, names, known)
            if watch is not None:
                watch(int(self._starts[last]))
        raw = [self._data[a:b].decode(errors="replace").strip() for a, b in zip(name_starts[:known], name_ends[:known])]
        hands.names = list(dict.fromkeys(raw))
        if len(hands.names) < known:  # names that differ only in blanks, or in bytes that are not text
            places = np.array([hands.names.index(name) for name in raw], np.int32)
            hands.players = places[hands.players]
        return hands

    def _guessed_game(self, hands: FileHands) -> Game | None:
        """The game whose bets the payoffs show; `None` where no hand could be read at all."""
        states = max(1, self._data.count(b"STATE:"))
        votes = _bet_votes(hands) or self._slow_votes()
        fitting = sum(votes.values()) + _undecided(hands)
        if fitting < (1 - _UNFIT) * states and (hands.verdicts == log_lines.HAND).any():
            option, count = self._better_rules(fitting + max(_FEWEST_UNFIT, _UNFIT * states))
            if option:
                raise InvalidGameError(
                    f"{self.path}: {fitting:,} of {states:,} hands fit limit hold'em with reverse blinds and at most "
                    f"4 bets a street, but {count:,} fit {option}; if that is the game, say --game {option}"
                )
        if not votes:
            if (hands.verdicts == log_lines.HAND).any():
                raise InvalidGameError(
                    f"{self.path}: no hand tells how large the bets are; say it, for example --game limit:small_bet=10"
                )
            return None
        (scale, most), *others = votes.most_common()
        if most < _AGREED * sum(votes.values()):
            other, count = others[0]
            raise InvalidGameError(
                f"{self.path}: {most:,} hands have bets of {2 * scale}/{4 * scale} and {count:,} of "
                f"{2 * other}/{4 * other}; say which are meant, for example --game limit:small_bet={2 * scale}"
            )
        return limit_holdem(small_bet=2 * scale)

    def _slow_votes(self) -> Counter[int]:
        """What the first lines say about the bets, where none of them has the plain form."""
        votes: Counter[int] = Counter()
        for row in range(min(_SLOW_VOTERS, len(self._starts) - 1)):
            try:
                record = parse_record(self._line(row), limit_holdem())
                (lost, expected), *_ = sorted(zip(record.payoffs, record.replayed_payoffs()), key=lambda each: each[1])
            except ValueError:
                continue
            if expected and lost < 0 and lost % expected == 0:  # a rake is paid by who wins
                votes[int(lost // expected)] += 1
        return votes

    def _better_rules(self, best: float) -> tuple[str, int]:
        """Rules of limit hold'em that more than `best` hands fit, as --game takes them, and how many; or none."""
        option = ""
        for reverse in (True, False):
            for cap in (4, 3, 5, None):
                hands = self._read_plain(limit_holdem(cap=cap, reverse_blinds=reverse))
                scale, count = max(_bet_votes(hands).items(), key=lambda vote: vote[1], default=(0, 0))
                if count and count + _undecided(hands) > best:
                    best = count + _undecided(hands)
                    option = f"limit:small_bet={2 * scale}" + ("" if cap == 4 else f",cap={cap}".lower())
                    option += "" if reverse else ",reverse_blinds=no"
        return option, int(best)

    def _read_slowly(self, row: int, game: Game, hands: FileHands) -> None:
        hands.verdicts[row] = log_lines.OTHER
        text = self._line(row)
        if not is_hand(text):
            hands.verdicts[row] = log_lines.COMMENT
            return
        record, kind, message = judged(text, game, self._may_be_raked)
        if record is None:
            self._add(row, kind, message)
            if kind == "not-a-hand" and "STATE" not in text:
                self._chatter += 1
        elif max(map(len, record.history.split("/"))) > hands.actions.shape[2]:
            self._add(row, "betting", f"hand {record.number}: more than {_MOST_ACTIONS} actions on a street")
        else:
            hands.put(row, record)

    def _name_other_bet_sizes(self, hands: FileHands, game: Game, rows: NDArray[np.int64]) -> None:
        """Call wrong payoffs what they are where several hands are right for one other size of bets."""
        left = rows[hands.verdicts[rows] == log_lines.OTHER]
        fitting = _fitting_bets(hands, left, game.small_bet).tolist()
        sizes = {int(row) + self._first_line: size for row, size in zip(left, fitting) if size}
        common = Counter(sizes.values())
        for at, problem in enumerate(self.problems):
            size = sizes.get(problem.line, 0)
            if problem.kind == "payoffs" and common[size] >= 3:
                whose = "game" if self._is_told else "file"
                says = f"{problem.message}: bets of {size}, where the {whose} has {game.small_bet}"
                self.problems[at] = Problem(self.path, problem.line, "bet-size", says, True)

    def _refuse_lone_rake(self, hands: FileHands, game: Game) -> None:
        """One hand alone whose winner got too little is no sign of a rake, unless a history tells it."""
        if self._is_history:
            return
        raked = np.flatnonzero((hands.verdicts == log_lines.HAND) & (hands.payoffs.sum(axis=1) < 0))
        if len(raked) == 1:
            row = int(raked[0])
            self._add(row, "payoffs", judged(self._line(row), game, may_be_raked=False).message)
            hands.verdicts[row] = log_lines.OTHER

    def _count_left_out(self, hands: FileHands, game: Game, plain: NDArray[np.bool_]) -> None:
        """Count the hands that are missing; of those with betting that can be read, `plain`, their pots too."""
        kinds = Counter(problem.kind for problem in self.problems if problem.skipped)
        kinds["not-a-hand"] -= self._chatter
        missing = [problem for problem in self.problems if problem.skipped and problem.kind in MISSING]
        self.left_out.add_problems(+kinds, str(missing[0]) if missing else "")
        there = hands.verdicts == log_lines.HAND
        wrong = {problem.line - self._first_line for problem in missing}
        gone = np.array([row for row in np.flatnonzero(plain & ~there) if row in wrong], np.int64)
        rank = np.argsort(np.argsort(hands.names)) if hands.names else np.zeros(0, np.int64)
        samples = []
        for rows in (np.flatnonzero(there), gone):
            players, stakes = rank[hands.players[rows]], hands.stakes[rows] / game.small_bet
            won = stakes * np.where(np.abs(hands.results[rows]) == 1, hands.results[rows], 0)
            samples.append(np.column_stack([stakes, np.where(players[:, 0] < players[:, 1], won, -won)]))
        self.left_out.add(*samples)
        if not self.left_out.is_trace:
            option, count = self._better_rules(self.left_out.hands)
            known = int(plain.sum())  # lines that only the slow reader takes say nothing about other rules
            if option and 2 * count > self.left_out.whole and is_trace(known - count, known):
                self.left_out.fitting[option] += count

    def _refuse_no_limit(self, hands: FileHands) -> None:
        """In a log of no-limit hands those without a raise look like limit hands, which they are not."""
        sized = sum(problem.kind == "no-limit" for problem in self.problems)
        fair = hands.verdicts == log_lines.HAND
        if sized > 0 and sized >= (fair & (hands.actions == RAISE).any(axis=(1, 2))).sum():
            for row in np.flatnonzero(fair):
                message = f"hand {hands.numbers[row]}: could be limit, but the hands around it are no-limit"
                self._add(int(row), "no-limit", message)
            hands.verdicts[fair] = log_lines.OTHER

    def _refuse_cut_line(self, hands: FileHands) -> None:
        """A last line without a line end may lack anything, even part of a name."""
        row = len(hands.verdicts) - 1
        if not self._is_cut or hands.verdicts[row] in (log_lines.COMMENT, log_lines.SCORE):
            return
        if hands.verdicts[row] == log_lines.OTHER:
            for at, problem in enumerate(self.problems):
                if problem.line == row + self._first_line:
                    message = f"the last line is cut off: {problem.message}"
                    self.problems[at] = Problem(self.path, row + self._first_line, "truncated", message, True)
            return
        before = np.sort(hands.players[:row][hands.verdicts[:row] == log_lines.HAND], axis=1)
        if len(before) and not (before == np.sort(hands.players[row])).all(axis=1).any():
            hands.verdicts[row] = log_lines.OTHER
            names = " and ".join(printable(hands.names[player]) for player in hands.players[row])
            self._add(row, "truncated", f"the last line is cut off: {names} have not played each other before")

    def _refuse_namesakes(self, hands: FileHands) -> None:
        same = (hands.verdicts == log_lines.HAND) & (hands.players[:, 0] == hands.players[:, 1])
        for row in np.flatnonzero(same):
            name = printable(hands.names[hands.players[row, 0]])
            message = f"hand {hands.numbers[row]}: both players are called {name!r}: whose hand is whose cannot be told"
            self._add(int(row), "same-name", message)
        hands.verdicts[same] = log_lines.OTHER

    def _refuse_repeats(self, hands: FileHands) -> None:
        """Leave out hands of the same number, players, seats and hole cards; where some are hidden, all must agree."""
        rows = np.flatnonzero(hands.verdicts == log_lines.HAND)
        if (np.diff(hands.numbers[rows]) > 0).all():
            return
        cards = np.ascontiguousarray(hands.holes[rows]).reshape(-1, 4).view(np.uint32)[:, 0]
        columns = np.stack([hands.numbers[rows], cards, *hands.players[rows].T])
        self._note_repeated_numbers(hands, rows)
        order = np.lexsort(columns)
        same = (np.diff(columns[:, order], axis=1) == 0).all(axis=0)
        alike = np.append(same, False) | np.append(False, same)
        seen: dict[tuple[object, ...], int] = {}
        for row in np.sort(rows[order[alike]]):
            holes = hands.holes[row].tobytes()
            rest = (hands.board[row].tobytes(), hands.actions[row].tobytes()) if UNKNOWN in hands.holes[row] else ()
            key = (int(hands.numbers[row]), hands.players[row].tobytes(), holes, *rest)
            first = seen.setdefault(key, int(row))
            if first != row:
                hands.verdicts[row] = log_lines.OTHER
                line = first + self._first_line
                message = f"hand {hands.numbers[row]} again, with the same players and cards as in line {line}"
                self._add(int(row), "repeated-hand", message)

    def _note_repeated_numbers(self, hands: FileHands, rows: NDArray[np.int64]) -> None:
        """Say once that hand numbers occur again with other cards, as where matches were joined into one file."""
        _, first = np.unique(
            np.stack([hands.numbers[rows], *np.sort(hands.players[rows], axis=1).T]), axis=1, return_index=True
        )
        again = np.setdiff1d(np.arange(len(rows)), first)
        pairs = {(int(hands.numbers[row]), hands.holes[row].tobytes()) for row in rows[first]}
        other = [row for row in rows[again] if (int(hands.numbers[row]), hands.holes[row].tobytes()) not in pairs]
        if other:
            message = f"hand number {hands.numbers[other[0]]} again, with other cards ({len(other):,} such hands)"
            self.problems.append(
                Problem(self.path, int(other[0]) + self._first_line, "repeated-number", message, False)
            )

    def _check_scores(self, hands: FileHands) -> None:
        """A SCORE line must be the sum of the hands before it; nothing is said where some of them were left out."""
        first = 0
        for row in np.flatnonzero(hands.verdicts == log_lines.SCORE):
            verdicts = hands.verdicts[first:row]
            if not (verdicts == log_lines.OTHER).any():
                chosen = first + np.flatnonzero(verdicts == log_lines.HAND)
                players, payoffs = hands.players[chosen].ravel(), hands.payoffs[chosen].ravel()
                known, places = np.unique(players, return_inverse=True)
                sums = np.zeros(len(known), payoffs.dtype)
                np.add.at(sums, places, payoffs)
                totals = {hands.names[player]: chips_text(total) for player, total in zip(known, sums.tolist())}
                self._check_score(int(row), totals)
            first = int(row) + 1

    def _check_score(self, row: int, totals: dict[str, str]) -> None:
        text = without_remark(self._line(row))
        fields = text.split(":")
        said, names = (field.split("|") for field in fields[1:]) if len(fields) == 3 else ([], [])
        if not names or said != [totals.get(name.strip(), "0") for name in names]:
            is_cut = self._is_cut and row == len(self._starts) - 2
            given = ", ".join(f"{name} {chips}" for name, chips in totals.items())
            message = printable(f"{text!r}{' (cut off)' if is_cut else ''}, but the hands before it give {given}")
            self.problems.append(
                Problem(self.path, row + self._first_line, "truncated" if is_cut else "score", message, False)
            )

    def _note_hidden_cards(self, hands: FileHands) -> None:
        hidden = hands.holes[:, :, 0] == UNKNOWN
        for row in np.flatnonzero((hands.verdicts == log_lines.HAND) & hidden.any(axis=1)):
            whose = " and ".join(printable(hands.names[hands.players[row, p]]) for p in (0, 1) if hidden[row, p])
            message = (
                f"hand {hands.numbers[row]}: the cards of {whose} are not shown; only a runtime assessment counts it"
            )
            self.problems.append(Problem(self.path, int(row) + self._first_line, "hidden-cards", message, False))

    def _refuse_file(self) -> None:
        if not self._data:
            kind, message = "empty-file", "the file is empty"
        elif b"\0" in self._data or not _is_text(self._data):
            kind, message = "binary-file", "the file is not text in UTF-8"
        elif self._data.lstrip().startswith(b"#"):  # the head of a log
            kind, message = "empty-file", "no hand (STATE:...) in the file"
        else:
            kind, message = "empty-file", f"it is of no format that is known here; Railbird reads {readable_formats()}"
        self.problems.append(Problem(self.path, 0, kind, message, True))

    def _add(self, row: int, kind: str, message: str) -> None:
        self.problems.append(Problem(self.path, row + self._first_line, kind, message, True))

    def _line(self, row: int) -> str:
        line = self._data[self._starts[row] : self._starts[row + 1]]
        return line.decode(errors="replace").strip().removeprefix("\ufeff")


def _agrees(hands: FileHands, small_bet: int) -> NDArray[np.bool_]:
    """Which rows have the payoffs that their stakes and results give, of logs with a small bet (0: none may be) maybe
    less a rake: who lost has paid the stake, and after a tie both have paid the same."""
    lost = hands.payoffs == -hands.stakes[:, None]
    tied = (hands.payoffs <= 0).all(axis=1) & (np.abs(hands.payoffs[:, 0] - hands.payoffs[:, 1]) <= 1)
    rake, most = -hands.payoffs.sum(axis=1), most_rakes(2 * hands.stakes, small_bet) if small_bet else 0
    results = hands.results
    known = [results == 1, results == -1, results == 0]
    right = np.select(known, [lost[:, 1], lost[:, 0], tied], tied | lost.any(axis=1))
    return np.asarray(right & (rake >= 0) & (rake <= most))


def _fitting_bets(hands: FileHands, rows: NDArray[np.int64], small_bet: int) -> NDArray[np.int64]:
    """The small bets with which rows that were read with `small_bet` have the payoffs that they should; 0 for those
    that fit none, or any, as ties do. What was lost tells it, since a rake is paid by who wins."""
    result, stakes = hands.results[rows], np.maximum(1, hands.stakes[rows])
    lost = -np.where(result == 1, hands.payoffs[rows, 1], hands.payoffs[rows, 0])
    size, rest = np.divmod(lost * small_bet, stakes)
    rake = -hands.payoffs[rows].sum(axis=1)
    fits = (np.abs(result) == 1) & (rest == 0) & (size > 0) & (rake >= 0) & (rake <= most_rakes(2 * lost, size))
    return np.asarray(np.where(fits, size, 0), np.int64)


def _bet_votes(hands: FileHands) -> Counter[int]:
    """How many hands fit each multiple of the bets they were read with, which are small bets of 2."""
    sizes = _fitting_bets(hands, np.flatnonzero(hands.verdicts == log_lines.HAND), 2)
    found, counts = np.unique(sizes[(sizes > 0) & (sizes % 2 == 0)] // 2, return_counts=True)
    return Counter(dict(zip(found.tolist(), counts.tolist())))


def _undecided(hands: FileHands) -> int:
    """How many hands say nothing about the bets: ties, and showdowns without all the cards."""
    return int(((hands.verdicts == log_lines.HAND) & (np.abs(hands.results) != 1)).sum())


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def rules_in_small_bets(game: Game) -> tuple[object, ...]:
    """What two logs must have in common to be read together."""
    unit = scaled_game(game, 2) if all(b * 2 % game.small_bet == 0 for b in (*game.blinds, *game.bet_sizes)) else game
    return (unit.blinds, unit.bet_sizes, game.max_raises, game.first_to_act, game.free_fold)
