"""The gauntlet: a fixed set of opponents whose exploitability is known, and what bots have won from them.

A new bot plays every one of them, in duplicate and on the same deals as all bots before, and gets its place among them.
What an opponent's best response wins from it is known exactly, so that one can also say how much of what there is to
take a bot takes. Opponents, deals and results belong to a version, and are recorded in a file that ships; `railbird
build gauntlet` plays it all again, first those who are not recorded yet, and goes on where it was stopped. A bot that
learns does so from the first deal against an opponent to the last, and begins anew against the next.

    gauntlet.json        the version and the bot
    v-always-call        the match folder of each opponent
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

from railbird.errors import MatchError
from railbird.files import write_whole
from railbird.game.spec import limit_holdem
from railbird.json_files import Fields, json_of, read_json
from railbird.play.box import USUAL, Housing
from railbird.play.folder import MatchFolder, is_vacant
from railbird.play.gauntlet_result import GauntletResult, Recorded, Reference
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.play.players import AnyBot, names_of, player_of
from railbird.play.run import run_matches
from railbird.progress import Bar, Watch
from railbird.statistics import Estimate
from railbird.workforce import Workforce

VERSION = 1
DEALS, SEED = 2_000, 2026
"""What every bot has played against each opponent."""
REFERENCES = (
    Reference("always-call", 1163.476),
    Reference("always-raise", 3697.693),
    Reference("random", 3466.322),
    Reference("divat-baseline", 927.0),
    Reference("sparbot", 362.9),
    Reference("equilibrium", 181.408),
)
"""Exact best responses, from docs/papers/best-response.md, sparbot.md and divat.md."""
CONTESTANTS = (
    "always-fold",
    *(reference.bot for reference in REFERENCES),
    "expert",
    "bpm",
    "loki",
    "poki",
    "yoki",
    "jagbot",
    "hobbybot",
    "simulation",
    "vexbot",
    "vexbot2",
)
"""Whose results are recorded, as far as they have been played."""
RESULTS = f"gauntlet-{VERSION}.json"
"""The file that ships."""
GAUNTLET = "gauntlet.json"
SCHEMA = "railbird.gauntlet-folder/1"
DATA_SCHEMA = "railbird.gauntlet-results/1"


class GauntletRun(NamedTuple):
    """How a bot runs the gauntlet."""

    bot: AnyBot
    hands: int = DEALS
    """Deals against each opponent."""
    decision_seconds: float = 10.0
    housing: Housing | None = USUAL


def run_gauntlet(
    path: Path, asked: GauntletRun, workers: Workforce = None, watch: Watch | None = None
) -> GauntletResult:
    """Play (or go on with) the gauntlet in `path`, a match folder for each opponent."""
    return GauntletResult(VERSION, REFERENCES, _played(path, asked, workers, watch), recorded())


def _played(path: Path, asked: GauntletRun, workers: Workforce, watch: Watch | None) -> tuple[MatchResult, ...]:
    """The matches against all opponents, in their order."""
    text = player_of(asked.bot).text
    if is_vacant(path):
        path.mkdir(parents=True, exist_ok=True)
        written = {"schema": SCHEMA, "version": VERSION, "bot": text}
        write_whole(path / GAUNTLET, json.dumps(written, indent=2) + "\n")
    if _bot_in(path) != text:
        raise MatchError(f"{str(path)!r} holds the gauntlet of another bot; choose another --out")
    folders = []
    for reference in REFERENCES:
        names = names_of([player_of(asked.bot), player_of(reference.bot)])
        rest = (asked.hands, SEED, True, asked.decision_seconds, 0, asked.housing, names)
        spec = MatchSpec(limit_holdem(), (asked.bot, reference.bot), *rest).kept_out_of(path)
        folders.append(MatchFolder.create(path / _folder_name(reference), spec))
    with ExitStack() as locks:
        for folder in folders:
            locks.enter_context(folder.lock())
        return tuple(run_matches(folders, workers, watch))


def read_gauntlet(path: Path) -> GauntletResult:
    """The result of a gauntlet as far as it has been played."""
    _bot_in(path)
    results = [MatchFolder.open(path / _folder_name(reference)).result() for reference in REFERENCES]
    if not min(result.deals for result in results):
        raise MatchError(f"{str(path)!r} has no deal against all opponents yet; go on with the command that began it")
    return GauntletResult(VERSION, REFERENCES, tuple(results), recorded())


def is_gauntlet(path: Path) -> bool:
    """Whether a path is the folder of a gauntlet."""
    return (path / GAUNTLET).is_file()


@cache
def recorded() -> tuple[Recorded, ...]:
    """The results that ship, of this version."""
    told = Fields(json_of(_shipped().read_bytes()), "the gauntlet")
    return tuple(Recorded(each.text("bot"), _estimate(each.fields("all"))) for each in told.each("results"))


def build_gauntlet(out: Path, folder: Path, bar: Bar, deals: int = DEALS, who: Workforce = None) -> Path:
    """Play the gauntlet with all bots whose results ship, those first who have none, and write what came of it after
    each of them: the file is whole all the while. What is in `folder` goes on."""
    results = {name: told for name, told in _recorded(out).items() if told["all"]["deals"] == deals}
    for name in sorted(CONTESTANTS, key=lambda each: each in results):
        with bar(name, "hands") as watch:
            matches = _played(folder / name, GauntletRun(name, deals), who, watch)
        found = GauntletResult(VERSION, REFERENCES, matches, ())
        against = {reference.bot: _told(found.rate(at)) for at, reference in enumerate(REFERENCES)}
        results[name] = {"bot": name, "all": _told(found.overall), "against": against}
        _write_recorded(out, deals, [results[each] for each in CONTESTANTS if each in results])
    return out


def _recorded(out: Path) -> dict[str, Any]:
    """What is recorded, by bot: in a file that was begun, or in the one that ships."""
    content = out.read_bytes() if out.is_file() else _shipped().read_bytes()
    told = Fields(json_of(content), "the gauntlet")
    return {each.text("bot"): each.found for each in told.each("results") if each.text("bot") in CONTESTANTS}


def _shipped() -> Traversable:
    return resources.files("railbird.play") / "data" / RESULTS


def _write_recorded(out: Path, deals: int, results: list[Any]) -> None:
    written = {
        "schema": DATA_SCHEMA,
        "version": VERSION,
        "deals": deals,
        "seed": SEED,
        "unit": "small bets per hand; deviations are of one deal",
        "references": [reference._asdict() for reference in REFERENCES],
        "results": results,
    }
    write_whole(out, json.dumps(written, indent=1) + "\n")


def _told(found: Estimate) -> dict[str, Any]:
    return {"mean": round(found.mean, 6), "sd": round(found.sd, 6), "deals": found.count}


def _estimate(told: Fields) -> Estimate:
    return Estimate(told.decimal("mean", -1e3, 1e3), told.decimal("sd", 0, 1e3), told.whole("deals", 1))


def _folder_name(reference: Reference) -> str:
    return f"v-{reference.bot}"


def _bot_in(path: Path) -> str:
    """The bot of a gauntlet's folder; refuses one of another version."""
    try:
        told = Fields(read_json(path / GAUNTLET), "the gauntlet")
        version, bot = told.whole("version"), told.text("bot")
    except OSError:
        raise MatchError(f"{str(path)!r} holds something else than a gauntlet; choose another --out") from None
    except ValueError as error:
        raise MatchError(f"{path / GAUNTLET} is damaged: {error}") from None
    if version != VERSION:
        raise MatchError(f"{str(path)!r} holds gauntlet {version}, this is gauntlet {VERSION}; choose another --out")
    return bot
