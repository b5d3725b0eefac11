"""The manifest of a match folder: what was asked for, and whether that is what is asked for again."""

from __future__ import annotations

import json
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from railbird.errors import MatchError, RailbirdError
from railbird.json_files import Fields, read_json
from railbird.numbers import quoted
from railbird.play.match import MatchSpec, seed_from_json
from railbird.randomness import SecretSeed

SCHEMA = "railbird.match-folder/1"
MANIFEST = "manifest.json"

Manifest = dict[str, Any]

_SETTINGS = ("game", "players", "duplicate", "decision_seconds", "block_hands")
"""What must not change, and no more may the seed. More hands may be asked for, and the files of bots may be others: see
`MatchFolder.create`."""


def manifest_of(spec: MatchSpec) -> Manifest:
    """The manifest of a match, as it will be read again."""
    written = {
        "schema": SCHEMA,
        "versions": {**_versions(), "python": platform.python_version()},
        **spec.to_json(),
        "files": _fingerprints(spec),
    }
    read: Manifest = json.loads(json.dumps(written))
    return read


@cache
def _versions() -> dict[str, str]:
    return {name: version(name) for name in ("railbird", "numpy", "numba")}


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a match folder, all of which is what it should be."""
    file = folder / MANIFEST
    try:
        data: Manifest = read_json(file)
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise MatchError(f"{file} is not a match of this version (schema {SCHEMA})")
        _check(data)
    except FileNotFoundError:
        raise MatchError(f"no match in {str(folder)!r}: there is no manifest.json") from None
    except OSError as error:
        raise MatchError(f"cannot read {str(file)!r}: {error.strerror}") from None
    except RailbirdError:
        raise
    except ValueError as error:
        raise MatchError(f"{file} is damaged: {error}") from None
    return data


def _check(data: Manifest) -> None:
    """Refuse settings that are none, and versions and files that are no texts, as far as they are told."""
    spec = MatchSpec.from_json(data)
    told = Fields(data, "the manifest")
    if "versions" in data:
        versions = told.fields("versions")
        for name in versions.found:
            versions.text(name)
    if "files" in data and len(told.texts("files")) != len(spec.bots):
        raise ValueError(f"{len(data['files'])} files of bots for {len(spec.bots)} players")


def refuse_others(begun: Manifest, asked: Manifest, folder: Path) -> None:
    """A match goes on only as it was begun: refuse another match than the one in the folder."""
    version_then = begun.get("versions", {}).get("railbird", "of another kind")
    if version_then != asked["versions"]["railbird"]:
        raise MatchError(
            f"{str(folder)!r} was begun with railbird {version_then[:20]}, this is {asked['versions']['railbird']}; "
            "choose another folder with --out"
        )
    if not isinstance(begun.get("files"), list):
        raise MatchError(f"{str(folder / MANIFEST)!r} is damaged: it does not say the files of bots")
    for key in _SETTINGS:
        if begun[key] != asked[key]:
            what = {"game": "another game", "players": "other players"}.get(key)
            what = what or f"{key} {quoted(begun[key])} (now {asked[key]})"
            raise MatchError(f"{str(folder)!r} holds a match with other settings: {what}; choose another --out")
    if begun.get("in_episodes") != asked.get("in_episodes"):
        raise MatchError(f"{str(folder)!r} holds a match whose players learn in other episodes; choose another --out")
    _refuse_other_seed(begun, asked, folder)


def _refuse_other_seed(begun: Manifest, asked: Manifest, folder: Path) -> None:
    """Refuse a match that was dealt from another seed; and to deal more from a key that was secret and is not now."""
    then, any_secret = seed_from_json(begun), SecretSeed()
    now = any_secret if asked.get("secret") == any_secret.to_json() else seed_from_json(asked)
    if then != now and not (now == any_secret and isinstance(then, SecretSeed)):
        raise MatchError(
            f"{str(folder)!r} holds a match with other settings: seed {then} (now {now}); choose another --out"
        )
    if isinstance(then, SecretSeed) and then.is_published and asked["hands"] > begun["hands"]:
        raise MatchError(
            f"the match in {str(folder)!r} is over and its key published, so more hands would be no secret; choose "
            "another --out"
        )


def manifest_in(folder: Path, asked: Manifest) -> Manifest | None:
    """The manifest of a folder, if that holds the match asked for, of however many hands and whichever files."""
    try:
        begun = read_manifest(folder)
        refuse_others(begun, asked, folder)
    except MatchError:
        return None
    return begun


def is_of(folder: Path, asked: Manifest) -> bool:
    """Whether a folder holds the match asked for, of however many hands, and played by the same files."""
    begun = manifest_in(folder, asked)
    return begun is not None and bool(begun["files"] == asked["files"])


def played_files(folder: Path) -> list[str]:
    """What the bots of a folder were when they played in it."""
    found: list[str] = read_manifest(folder)["files"]
    return found


def refuse_edited(spec: MatchSpec, folder: Path) -> None:
    """Refuse to play on in a folder with bots that have changed since it was begun."""
    if played_files(folder) != _fingerprints(spec):
        raise MatchError(f"a bot has changed while {str(folder)!r} was played; give the command again to begin anew")


def _fingerprints(spec: MatchSpec) -> list[str]:
    return [player.fingerprint() for player in spec.players]


def check_begun(file: Path, expected: dict[str, Any], what: str) -> None:
    """Refuse a folder whose file says that it holds another tournament or comparison, or none."""
    folder = str(file.parent)
    try:
        begun = read_json(file)
    except ValueError as error:
        raise MatchError(f"{file} is damaged: {error}") from None
    except OSError:
        raise MatchError(f"{folder!r} holds something else than a {what}; choose another folder with --out") from None
    if begun != expected:
        raise MatchError(f"{folder!r} holds a {what} of other players; choose another --out")
