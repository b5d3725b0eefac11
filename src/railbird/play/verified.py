"""Whether the hands in logs are those that the seed of the match deals, or the key that a secret match has told.

Before a secret match begins its manifest holds the SHA-256 of the key, so whoever dealt could not choose another one
afterwards; and every hand follows from the key and its number alone. At a table where people sit each hand was promised
besides (`railbird.play.promises`), which can be checked while its key is still a secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from railbird.cards import cards_text
from railbird.errors import MatchError
from railbird.game.record import HandRecord
from railbird.play.dealing import deals
from railbird.play.folder import MatchFolder, is_match
from railbird.play.hand import Deal
from railbird.play.match import MatchSpec, seed_words
from railbird.play.match_logs import open_logs
from railbird.play.promises import Promise, PromiseLine, nonce_of, read_promises
from railbird.progress import Watch
from railbird.randomness import SecretSeed
from railbird.results.parts import Heading, Line, Part
from railbird.results.result import Result
from railbird.words import count_of

_AT_ONCE = 1_000
_UNTOLD = seed_words(SecretSeed())


@dataclass(frozen=True)
class VerifiedMatch:
    """A match whose hands were dealt again."""

    folder: Path
    names: tuple[str, ...]
    dealt_from: str
    """In words: the seed, or the key."""
    commitment: str
    """The SHA-256 of the key that was promised at the beginning; empty where the seed was no secret."""
    hands: int
    """How many hands were compared."""
    wrong: str = ""
    """The first hand with other cards, and which; nothing if there is none."""
    promised: int = 0
    """How many hands were compared with what was promised before each of them."""

    def to_json(self) -> dict[str, Any]:
        return {
            "folder": str(self.folder),
            "players": list(self.names),
            "dealt_from": self.dealt_from,
            "commitment": self.commitment or None,
            "hands": self.hands,
            "wrong": self.wrong or None,
            **({"promised": self.promised} if self.promised else {}),
        }


@dataclass(frozen=True, repr=False)
class VerifiedDeals(Result):
    """Matches whose hands were dealt again, and whether they have the same cards."""

    path: Path
    matches: tuple[VerifiedMatch, ...]

    @property
    def is_right(self) -> bool:
        return not any(match.wrong for match in self.matches)

    def parts(self) -> list[Part]:
        hands = sum(match.hands for match in self.matches)
        is_dealt = any(match.dealt_from != _UNTOLD for match in self.matches)
        words = "dealt again" if is_dealt else "held against promises"
        found: list[Part] = [Heading(str(self.path), (f"{count_of(hands, 'hand')} {words}",))]
        for match in self.matches:
            found.append(Line(f"{' vs '.join(match.names)}: {_said(match)}"))
        return found

    def rows(self) -> list[dict[str, Any]]:
        """A row for each match."""
        return [match.to_json() for match in self.matches]

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.verified-deals/1."""
        return {
            "schema": "railbird.verified-deals/1",
            "right": self.is_right,
            "matches": [match.to_json() for match in self.matches],
        }


def verify_deals(path: str | Path, watch: Watch | None = None) -> VerifiedDeals:
    """Deal the hands of a match, tournament or comparison again and say whether they are those of its logs.

    A secret match must be over, since its key is told only then; hands of a table in the browser are held against what
    was promised before each of them. `watch` is told matches done and all matches.

    >>> from railbird.play.matches import play_match
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = play_match("always-call", "always-raise", hands=100, seed=7, folder=folder)
    ...     verify_deals(folder).is_right
    True
    """
    sources = open_logs(path).sources
    folders = list(dict.fromkeys(source.path.parent for source in sources if is_match(source.path.parent)))
    if not folders:
        raise MatchError(f"no match in {str(path)!r}; a log alone does not say what it was dealt from")
    found = []
    for done, folder in enumerate(folders):
        if watch:
            watch(done, len(folders))
        found.append(_verified(MatchFolder.open(folder)))
    return VerifiedDeals(Path(path), tuple(found))


def _verified(folder: MatchFolder) -> VerifiedMatch:
    spec, seed = folder.spec, folder.spec.seed
    is_told = not isinstance(seed, SecretSeed) or seed.is_published
    promises = read_promises(folder.path)
    if not is_told and not promises:
        raise MatchError(f"the key of the secret match in {str(folder.path)!r} is told when it is over")
    promised, wrong = _held_promises(folder, promises) if promises else (0, "")
    hands = promised
    if is_told:
        hands, other = _dealt_again(folder)
        wrong = wrong or other
    commitment = seed.commitment if isinstance(seed, SecretSeed) else ""
    return VerifiedMatch(folder.path, spec.names, spec.seed_words, commitment, hands, wrong, promised)


def _dealt_again(folder: MatchFolder) -> tuple[int, str]:
    """How many hands were compared with those that the seed deals, and the first that is another one."""
    spec, hands, wrong = folder.spec, 0, ""
    for leg in range(spec.seating.legs):
        dealt: Iterator[Deal] = iter(())
        for number, record in enumerate(folder.records(leg)):
            if number % _AT_ONCE == 0:
                dealt = deals(spec.game, spec.seed, number, _AT_ONCE)
            wrong = wrong or _difference(record, next(dealt), number)
            hands += 1
    return hands, wrong


def _held_promises(folder: MatchFolder, lines: Sequence[PromiseLine]) -> tuple[int, str]:
    """How many hands were compared with their promises, and the first whose promise was not kept."""
    hands, wrong = 0, ""
    first: dict[int, str] = {}
    told: dict[int, PromiseLine] = {}
    for line in lines:
        if line.nonce:
            told[line.hand] = line
        else:
            first.setdefault(line.hand, line.digest)
    for record in folder.records(0):
        wrong = wrong or _broken(folder.spec, record, first.get(record.number, ""), told.get(record.number))
        hands += 1
    return hands, wrong


def _broken(spec: MatchSpec, record: HandRecord, promise: str, told: PromiseLine | None) -> str:
    """How a promise was broken; nothing if it was kept."""
    number = record.number
    if not promise or told is None:
        return f"hand {number} was not {'told after it was over' if promise else 'promised before it began'}"
    if told.digest != promise or Promise(number, told.nonce, told.cards).digest != promise:
        return f"hand {number} was promised as {promise}, which its nonce and cards do not give"
    if isinstance(spec.seed, SecretSeed) and spec.seed.key and nonce_of(spec.seed, number) != told.nonce:
        return f"hand {number} has a nonce that does not follow from the key"
    in_holes = spec.game.seats * spec.game.hole_cards
    holes = [told.cards[at : at + spec.game.hole_cards] for at in range(0, in_holes, spec.game.hole_cards)]
    return _difference(record, Deal(number, tuple(holes), told.cards[in_holes:], ()), number, "promised")


def _difference(record: HandRecord, deal: Deal, number: int, done: str = "dealt") -> str:
    """What is wrong with the cards of a hand; nothing if they are those dealt, or promised."""
    if record.number != number:
        return f"hand {record.number} where hand {number} belongs"
    for hole, dealt in zip(record.holes, deal.holes, strict=True):
        if tuple(hole) != dealt:
            return f"hand {number} has {cards_text(hole) or 'no cards'} where {cards_text(dealt)} was {done}"
    if tuple(record.board) != deal.board[: len(record.board)]:
        return f"hand {number} has the board {cards_text(record.board)} where {cards_text(deal.board)} was {done}"
    return ""


def _said(match: VerifiedMatch) -> str:
    if match.wrong:
        return match.wrong if match.promised else f"{match.wrong} from {match.dealt_from}"
    kept = f"all {count_of(match.promised, 'hand')} as promised before each of them"
    if match.promised and match.dealt_from == _UNTOLD:
        return f"{kept}; the key, SHA-256 {match.commitment}, is told when the table is closed"
    promised = ", which has the SHA-256 that was promised" if match.commitment else ""
    found = f"all {count_of(match.hands, 'hand')} as dealt from {match.dealt_from}{promised}"
    return f"{found}; {kept}" if match.promised else found
