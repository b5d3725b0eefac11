"""Match folders: their logs are believed only where they can be, and are read by whatever name they are given."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from railbird.errors import DamagedLogError, InvalidGameError, MatchError
from railbird.game.spec import limit_holdem
from railbird.play.folder import MatchFolder, folder_game, folder_logs
from railbird.play.match import MatchSpec
from railbird.play.match_logs import read_hand_arrays
from railbird.play.run import run_matches


@pytest.fixture
def folder(tmp_path):
    spec = MatchSpec(limit_holdem(small_bet=10), ("random", "always-call"), 40, 3, duplicate=True)
    folder = MatchFolder.create(tmp_path / "match", spec)
    run_matches([folder], 1)
    return folder


def change(folder: MatchFolder, number: int, field: int, text: str) -> None:
    """Write another text in a field of a hand's line in the first log, and take the SCORE line and the index away."""
    path = folder.log_path(0)
    path.with_name(f"{path.name}.index").unlink()
    lines = path.read_text().splitlines()[:-1]
    at = next(at for at, line in enumerate(lines) if line.startswith(f"STATE:{number}:"))
    fields = lines[at].split(":")
    fields[field] = text
    lines[at] = ":".join(fields)
    path.write_text("".join(line + "\n" for line in lines))


@pytest.mark.parametrize(
    ("won", "message"),
    [
        # In hand 1 the second player sits first: what is wrong about the last number must not be made good by a zero.
        ("-1|garbage", "hand 1: payoffs '-1|garbage' are not chips"),
        ("-1|", "hand 1: payoffs '-1|' are not chips"),
        ("-1", "the payoffs '-1' are wrong"),
        ("-1|1|0", "the payoffs '-1|1|0' are wrong"),
        ("5|-6", "the payoffs '5|-6' are wrong"),
    ],
)
def test_payoffs_that_cannot_be_are_refused(folder, won, message):
    change(folder, 1, 4, won)
    with pytest.raises(MatchError, match=re.escape(f"hands-01.log:4: {message}")):
        folder.log(0).look()


@pytest.mark.parametrize(
    ("field", "text"), [(0, "STATES"), (1, "7"), (1, "x"), (5, "random|always-call"), (5, "always-call")]
)
def test_another_hand_in_the_place_of_one_is_refused(folder, field, text):
    change(folder, 1, field, text)
    with pytest.raises(MatchError, match=r"hands-01\.log:4: not hand 1 of this match: 'STATE"):
        folder.log(0).look()


def test_bytes_that_are_no_text_are_refused(folder):
    path = folder.log_path(0)
    path.write_bytes(path.read_bytes().replace(b"random|", b"\xff\xfe|", 1))
    with pytest.raises(DamagedLogError, match=r"hands-01\.log:3-42: hands 0 to 39 are not as they were written"):
        folder.result()
    path.with_name(f"{path.name}.index").unlink()
    with pytest.raises(MatchError, match="not hand 0 of this match"):
        folder.log(0).look()


def test_a_log_says_what_its_arrays_say(folder):
    log = folder.log(0)
    won = log.won(0, log.look())
    hands = read_hand_arrays(folder.log_path(0))
    first = hands.names.index("random")
    by_player = np.where(hands.players[:, :1] == first, hands.payoffs, hands.payoffs[:, ::-1])
    assert np.array_equal(won, by_player)


def test_one_path_or_several_of_any_kind(folder, monkeypatch):
    monkeypatch.chdir(folder.path.parent)
    whole = read_hand_arrays([folder.path])
    assert len(whole) == 80
    for paths in ("match", Path("match"), ["match"], (Path("match"),), ".", folder_logs(Path("match"))):
        found = read_hand_arrays(paths)
        assert len(found) == 80
        assert np.array_equal(found.payoffs, whole.payoffs)
    for path in ("match/hands-01.log", Path("match/hands-01.log")):
        assert read_hand_arrays(path).files == ("match/hands-01.log",)
    with pytest.raises(MatchError, match="no file or folder 'folder'"):
        read_hand_arrays("folder")
    with pytest.raises(MatchError, match="no log to read"):
        read_hand_arrays([])


def test_a_folder_tells_its_game_even_if_its_players_are_gone(folder):
    manifest = folder.path / "manifest.json"
    data = json.loads(manifest.read_text())
    data["players"][0]["bot"] = "./gone.py:Bot"
    manifest.write_text(json.dumps(data))
    assert folder_game(folder.path) == limit_holdem(small_bet=10)
    assert read_hand_arrays(folder.path).game.small_bet == 10
    data["game"]["ante"] = 1
    manifest.write_text(json.dumps(data))
    with pytest.raises(InvalidGameError, match=r"the match in '.*match' has an ante of 1"):
        read_hand_arrays(folder.path)
    manifest.write_text('{"game": {}}')
    with pytest.raises(MatchError, match="is not the manifest of a Railbird match, or is damaged"):
        read_hand_arrays(folder.path)
