"""A comparison on disk: what it is to be, and a match folder for each bot and opponent.

comparison.json        the two bots and the opponents
new-1-v-loki           the match folder of the new bot against the first opponent
old-1-v-loki           that of the old one, on the same deals
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from railbird.assess.settings import STANDARD, Settings
from railbird.errors import MatchError
from railbird.files import file_name, write_whole
from railbird.game.spec import Game
from railbird.json_files import Fields, read_json
from railbird.numbers import decimal, quoted
from railbird.play.box import USUAL, Housing
from railbird.play.comparison import Comparison
from railbird.play.folder import MatchFolder, is_match, is_vacant
from railbird.play.known_seats import KnownSeats, known_in
from railbird.play.manifest import Manifest, check_begun, manifest_of, read_manifest, refuse_others
from railbird.play.match import MOST_HANDS, MatchSpec, seed_from_json
from railbird.play.match_result import MatchResult
from railbird.play.players import AnyBot, names_of, player_of
from railbird.play.run import run_matches
from railbird.play.secret_keys import ready_seed
from railbird.play.set_aside import first_fit
from railbird.play.skill import all_with_divat
from railbird.progress import Bar, Watch, no_bar, within
from railbird.randomness import SecretSeed, Seed
from railbird.words import count_of
from railbird.workforce import Workforce

SCHEMA = "railbird.comparison-folder/1"
MANIFEST = "comparison.json"
MOST_WEIGHT = 1e9


@dataclass(frozen=True)
class ComparisonSpec:
    """Two bots, each of which plays a match against every opponent on the same deals."""

    game: Game
    """A game for two."""
    new: AnyBot
    old: AnyBot
    against: tuple[AnyBot, ...]
    hands: int
    """As in `MatchSpec`, of each match."""
    seed: Seed
    duplicate: bool = True
    decision_seconds: float = 10.0
    housing: Housing | None = USUAL
    weights: tuple[float, ...] = ()
    """By opponent, how much it counts; all the same if there are none."""
    episode: int = 0
    """Players that learn begin anew after so many deals; 0: never."""

    def __post_init__(self) -> None:
        if not self.against:
            raise MatchError("nobody to play against; name the opponents, as in --against loki vexbot2")
        if self.weights and len(self.weights) != len(self.against):
            raise MatchError(
                f"{count_of(len(self.weights), 'weight')} for {count_of(len(self.against), 'opponent')}; give one for "
                "each, as in --against loki vexbot2 --weights 2 1"
            )
        if wrong := next((weight for weight in self.weights if not 0 < weight <= MOST_WEIGHT), None):
            raise MatchError(f"a weight of {wrong:g}; weights are above 0, and at most {MOST_WEIGHT:g}")
        if not 0 <= self.episode <= MOST_HANDS:
            raise MatchError(f"an episode of {quoted(self.episode)} deals; it has at least 1")
        names = [bot for bot in self.against if isinstance(bot, str)]
        if again := next((name for name in names if names.count(name) > 1), None):
            raise MatchError(f"the opponent {again!r} twice; once is enough")
        _ = self.matches  # which refuse what cannot be played

    @cached_property
    def matches(self) -> tuple[tuple[MatchSpec, MatchSpec], ...]:
        """By opponent, the new bot's match and the old one's."""
        rest = (self.hands, self.seed, self.duplicate, self.decision_seconds, 0, self.housing)
        new, old, *opponents = self._unique_names
        return tuple(
            (
                self._in_episodes(MatchSpec(self.game, (self.new, opponent), *rest, (new, name))),
                self._in_episodes(MatchSpec(self.game, (self.old, opponent), *rest, (old, name))),
            )
            for opponent, name in zip(self.against, opponents)
        )

    def _in_episodes(self, match: MatchSpec) -> MatchSpec:
        return match.in_episodes_of(self.episode) if self.episode else match

    @property
    def has_episodes(self) -> bool:
        """Whether anybody learns, and begins anew with every episode."""
        return any(match.in_episodes for pair in self.matches for match in pair)

    @property
    def learners(self) -> tuple[str, ...]:
        """The names of those who learn."""
        both = [match for pair in self.matches for match in pair]
        return tuple(dict.fromkeys(match.names[seat] for match in both for seat in sorted(match.candidates.learners)))

    @cached_property
    def _unique_names(self) -> tuple[str, ...]:
        """The names in the logs: the new bot, the old one, the opponents."""
        return names_of([player_of(bot) for bot in (self.new, self.old, *self.against)])

    @cached_property
    def names(self) -> tuple[str, str]:
        """Names of the two bots that tell them apart, also where they are copies of one."""
        new, old = self._unique_names[:2]
        return (f"{new} (new)", f"{new} (old)") if old == f"{new}.2" else (new, old)

    @property
    def opponents(self) -> tuple[str, ...]:
        return self._unique_names[2:]

    @property
    def folder_names(self) -> list[tuple[str, str]]:
        """By opponent, the names of the two match folders."""
        return _folder_names(self.opponents)


def _folder_names(opponents: Sequence[str]) -> list[tuple[str, str]]:
    names = [f"{at + 1}-v-{file_name(name).strip('_')}" for at, name in enumerate(opponents)]
    return [(f"new-{name}", f"old-{name}") for name in names]


def run_comparison(
    path: Path, spec: ComparisonSpec, workers: Workforce = None, watch: Watch | None = None
) -> Comparison:
    """Play (or go on with) a comparison in `path`, a match folder for each bot and opponent."""
    if spec.has_episodes and spec.hands < 2 * spec.episode:
        raise MatchError(
            f"{spec.hands:,} deals are less than two episodes of {spec.episode:,}; ask for more --hands, or another "
            "--episode"
        )
    folders = comparison_folders(path, spec)
    with ExitStack() as locks:
        for folder in folders:
            locks.enter_context(folder.lock())
        results = run_matches(folders, workers, watch)
    return _summed(Comparison(spec.names, spec.opponents, _in_pairs(results), spec.weights))


def read_comparison(path: Path, deals: int = 0, known: KnownSeats | None = None) -> Comparison:
    """The result of a comparison as far as it has been played, or of its first deals; and whose play is known."""
    try:
        names, opponents, matches, weights = _parts_of(read_json(path / MANIFEST))
    except OSError as error:
        raise MatchError(f"no comparison in {str(path)!r}: {error.strerror}") from None
    except ValueError as error:
        raise MatchError(f"{path / MANIFEST} is damaged: {error}") from None
    folders = [MatchFolder.open(path / name) for name in matches]
    _refuse_mixed(folders)
    if deals:
        folders = [MatchFolder(folder.path, folder.spec.first_hands(deals), folder.hands) for folder in folders]
    found = Comparison(names, opponents, _in_pairs([folder.result() for folder in folders]), weights, known)
    if not found.deals:
        raise MatchError(f"{str(path)!r} has no complete deal yet; go on with the command that began it")
    return _summed(found)


def _summed(result: Comparison) -> Comparison:
    """The comparison with its sums: whatever happens to the logs from now on, it is known."""
    _ = result._sums
    return result


def _parts_of(manifest: Any) -> tuple[tuple[str, str], tuple[str, ...], list[str], tuple[float, ...]]:
    """Names, opponents, folders and weights that a comparison's file tells; refuses one that is not whole."""
    told = Fields(manifest, "the comparison")
    names, opponents = told.texts("names"), tuple(told.texts("opponents"))
    if len(names) != 2 or not opponents or told.entries("matches") != [list(pair) for pair in _folder_names(opponents)]:
        raise ValueError("its names, opponents and matches do not belong together")
    weights = tuple(decimal(each, 0, MOST_WEIGHT) for each in told.entries("weights")) if "weights" in manifest else ()
    if weights and (len(weights) != len(opponents) or not all(weights)):
        raise ValueError("its weights are not those of its opponents")
    return (names[0], names[1]), opponents, [name for pair in told.entries("matches") for name in pair], weights


def _refuse_mixed(folders: Sequence[MatchFolder]) -> None:
    """The matches of a comparison are of one game, and on the same deals."""
    first = folders[0].spec
    for folder in folders:
        spec = folder.spec
        if (spec.game, spec.seed, spec.duplicate) != (first.game, first.seed, first.duplicate):
            raise MatchError(f"{str(folder.path)!r} is not a match on the deals of this comparison")


def comparison_with_divat(result: Comparison, settings: Settings = STANDARD, watch: Watch | None = None) -> Comparison:
    """The comparison with every match assessed. `watch` is told hands done and all hands."""
    played = [match for pair in result.matches for match in pair]
    folders = [MatchFolder(match.folder, match.spec) for match in played if match.folder is not None]
    assessed = all_with_divat(list(zip(folders, played, strict=True)), settings, watch)
    return replace(result, matches=_in_pairs(assessed))


def assessed_by_skill(result: Comparison, bar: Bar = no_bar) -> Comparison:
    """The comparison with every match assessed: by DIVAT, and by AIVAT too where somebody's play is known."""
    with bar("assessing") as watch:
        result = comparison_with_divat(result, watch=watch)
    with bar("AIVAT", "hands") as watch:
        return _with_aivat(result, watch)


def with_known(result: Comparison) -> Comparison:
    """The comparison, which can be told by AIVAT where somebody's play is known."""
    known = KnownSeats(known_in(match.spec for pair in result.matches for match in pair))
    is_told = any(known.imagined(new.spec, old.spec) for new, old in result.matches)
    return replace(result, known=known) if is_told else result


def _with_aivat(result: Comparison, watch: Watch | None) -> Comparison:
    """The comparison with AIVAT too, where somebody's play is known."""
    result = with_known(result)
    if not (known := result.known):
        return result
    asked = [
        (match, names)
        for new, old in result.matches
        if (imagined := known.imagined(new.spec, old.spec))
        for match, names in zip((new, old), imagined)
    ]
    hands = result.spec.seating.legs * result.deals
    for at, (match, names) in enumerate(asked):
        known.of(match, names, 0, result.deals, within(watch, at * hands, len(asked) * hands))
    known.keep()
    return _summed(result)


def is_comparison(path: Path) -> bool:
    """Whether a path is the folder of a comparison."""
    return (path / MANIFEST).is_file()


def _in_pairs(results: Sequence[MatchResult]) -> tuple[tuple[MatchResult, MatchResult], ...]:
    return tuple(zip(results[::2], results[1::2]))


def default_comparison_folder(path: Path, spec: ComparisonSpec) -> Path:
    """Where a comparison goes if nobody says where: `path`, or with a number after it where another one lies there."""

    def fits(folder: Path) -> bool:
        if is_vacant(folder):
            return True
        with suppress(MatchError):
            refuse_other_comparison(folder, spec)
            return True
        return False

    return first_fit(path, fits)


def comparison_folders(path: Path, spec: ComparisonSpec) -> list[MatchFolder]:
    """The match folders, new ones or those that this very comparison has begun.

    If a bot was edited, its matches are played anew, and those before are kept under other names.
    """
    if is_vacant(path):
        path.mkdir(parents=True, exist_ok=True)
        write_whole(path / MANIFEST, json.dumps(_manifest(spec), indent=2) + "\n")
    begun = refuse_other_comparison(path, spec)
    seed = ready_seed(spec.seed, [seed_from_json(each) for each in begun])
    specs = [match.with_seed(seed).kept_out_of(path) for pair in spec.matches for match in pair]
    names = [name for pair in spec.folder_names for name in pair]
    are_edited = [each["files"] for each in begun] != [manifest_of(match)["files"] for match in specs]
    if are_edited and isinstance(seed, SecretSeed) and seed.is_published:
        raise MatchError(f"{str(path)!r} is over and its key published, and a bot has changed; choose another --out")
    return [MatchFolder.create(path / name, match) for name, match in zip(names, specs)]


def _manifest(spec: ComparisonSpec) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "bots": [player_of(bot).text for bot in (spec.new, spec.old, *spec.against)],
        "names": list(spec.names),
        "opponents": list(spec.opponents),
        "matches": [list(pair) for pair in spec.folder_names],
        **({"weights": list(spec.weights)} if spec.weights else {}),
    }


def refuse_other_comparison(path: Path, spec: ComparisonSpec) -> list[Manifest]:
    """The manifests of matches that have begun. Refuses a folder that holds anything but this comparison, of however
    many hands and whichever files."""
    check_begun(path / MANIFEST, _manifest(spec), "comparison")
    found = []
    for names, matches in zip(spec.folder_names, spec.matches):
        for name, match in zip(names, matches):
            if is_match(path / name):
                found.append(read_manifest(path / name))
                refuse_others(found[-1], manifest_of(match), path / name)
    return found
