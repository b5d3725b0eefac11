"""railbird repair: damaged blocks are played again to the same bytes, or set aside; nothing is lost."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from railbird.cli import main
from railbird.game.spec import limit_holdem
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_logs import read_hands
from railbird.play.repair import repair
from railbird.play.run import run_matches
from railbird.play.tournament import TournamentSpec, read_tournament, run_tournament

PLAYERS = f"{Path(__file__).parent / 'players.py'}"
SPECS = {
    "compiled": MatchSpec(limit_holdem(), ("random", "always-call"), 45, 3, duplicate=True, block_hands=10),
    "ring": MatchSpec(limit_holdem(3), ("random", "always-call", "always-raise"), 45, 3, block_hands=10),
    "learner": MatchSpec(limit_holdem(), (f"{PLAYERS}:Learner", "random"), 45, 3, duplicate=True, block_hands=10),
}


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.fixture(scope="module", params=SPECS)
def played(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("played") / "m"
    run_matches([MatchFolder.create(path, SPECS[request.param])], 1)
    return path


@pytest.fixture
def copy(played, tmp_path):
    return Path(shutil.copytree(played, tmp_path / "m"))


def last_log(folder: Path) -> Path:
    return sorted(folder.glob("*.log"))[-1]


def spoil(log: Path, *lines: int, text: bytes = b"STATE:garbage\n") -> None:
    """Write something else in the place of lines, which are counted from 0."""
    found = log.read_bytes().splitlines(keepends=True)
    for line in lines:
        found[line] = text
    log.write_bytes(b"".join(found))


DAMAGES = {
    "a line": lambda log: spoil(log, 14),
    "two blocks": lambda log: spoil(log, 14, 40),
    "the first hand of a block": lambda log: spoil(log, 22),
    "a line less": lambda log: spoil(log, 30, text=b""),
    "lines too many": lambda log: spoil(log, 30, text=b"one\ntwo\nthree\n"),
    "the header": lambda log: spoil(log, 0, text=b"# another\n"),
    "the sum": lambda log: spoil(log, -1, text=b"SCORE:1|-1:a|b\n"),
    "the last hand and the sum": lambda log: spoil(log, -2, -1),
    "zeros": lambda log: log.write_bytes(log.read_bytes()[:900] + bytes(500) + log.read_bytes()[1400:]),
}


@pytest.mark.parametrize("has_index", [True, False])
@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_played_again_to_the_same_bytes(copy, played, damage, has_index):
    log = last_log(copy)
    DAMAGES[damage](log)
    if not has_index:
        log.with_name(f"{log.name}.index").unlink()
    found = repair(copy)
    assert [each.log for each in found.mended] == [log] * len(found.mended) != []
    assert contents(copy) == contents(played)
    again = repair(copy)
    assert (again.mended, again.logs) == ((), len(list(copy.glob("*.log"))))


def test_a_torn_log_is_not_damaged(copy, played):
    log = last_log(copy)
    log.write_bytes(log.read_bytes()[:-200])
    assert repair(copy).mended == ()
    run_matches([MatchFolder.create(copy, next(s for s in SPECS.values() if s.to_json() == _asked(copy)))], 1)
    assert contents(copy) == contents(played)


def _asked(folder: Path) -> object:
    return MatchFolder.open(folder).spec.to_json()


def test_without_its_bots_a_log_is_cut_and_kept_as_it_was(tmp_path):
    folder = tmp_path / "m"
    run_matches([MatchFolder.create(folder, SPECS["compiled"])], 1)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["players"][0]["bot"] = "./gone.py:Bot"
    (folder / "manifest.json").write_text(json.dumps(manifest))
    log = folder / "hands-02.log"
    spoil(log, 14)
    damaged = log.read_bytes()
    [mended] = repair(folder).mended
    assert mended.done.startswith(
        "cut before hand 10, since its bots are not to be had as they were (no file 'gone.py'"
    )
    assert mended.done.endswith("as it was it is kept as hands-02.log.damaged")
    assert (folder / "hands-02.log.damaged").read_bytes() == damaged
    assert MatchFolder.open(folder).result().deals == 10
    assert repair(folder).mended == ()


def test_bots_that_play_otherwise_than_they_did_change_nothing(tmp_path, monkeypatch):
    folder = tmp_path / "m"
    run_matches([MatchFolder.create(folder, SPECS["compiled"])], 1)
    spoil(folder / "hands-01.log", 14)
    damaged = (folder / "hands-01.log").read_bytes()
    monkeypatch.setattr("railbird.play.blocks.bot_seeds", lambda *_: [1] * 2)
    [mended] = repair(folder).mended
    assert "the bots do not play these hands as they did" in mended.done
    assert (folder / "hands-01.log.damaged").read_bytes() == damaged
    assert MatchFolder.open(folder).log(0).look() == 10


def test_hands_of_a_log_alone_are_set_aside(tmp_path):
    run_matches([MatchFolder.create(tmp_path / "m", SPECS["ring"])], 1)
    log = tmp_path / "alone.log"
    shutil.copy(tmp_path / "m" / "hands.log", log)
    before = log.read_bytes().splitlines(keepends=True)
    spoil(log, 14, 15, text=before[14].replace(b"|", b"|1", 4))
    assert repair(log, "limit").mended[0].done == "2 hands set aside in alone.log.damaged"
    assert len(read_hands(log, "limit")) == 43
    assert log.read_bytes().splitlines(keepends=True) == before[:14] + before[16:-1]
    assert (tmp_path / "alone.log.damaged").read_bytes().count(b"STATE:") == 2
    assert repair(log, "limit").mended == ()


def test_a_write_that_fails_leaves_the_log_as_it_was(tmp_path, monkeypatch):
    folder = tmp_path / "m"
    run_matches([MatchFolder.create(folder, SPECS["compiled"])], 1)
    spoil(folder / "hands-01.log", 14)
    before = contents(folder)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("railbird.files.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        repair(folder)
    assert contents(folder) == before


def test_the_folder_of_a_tournament_is_mended_match_by_match(tmp_path, capsys):
    spec = TournamentSpec(limit_holdem(), ("random", "always-call", "always-raise"), 30, 3, block_hands=10)
    whole = run_tournament(tmp_path / "t", spec, 1).to_json()
    before = contents(tmp_path / "t")
    for name in ("01-02", "02-03"):
        spoil(tmp_path / "t" / name / "hands-01.log", 14)
    for command in (["results", str(tmp_path / "t")], ["replay", str(tmp_path / "t" / "01-02"), "12"]):
        with pytest.raises(SystemExit) as end:
            main(command)
        assert end.value.code == 2
        error = capsys.readouterr().err
        assert "01-02/hands-01.log:13-22: hands 10 to 19 are not as they were written (checksum)" in error
        assert error.endswith(f"mend it with: railbird repair {tmp_path / 't' / '01-02'}\n")
        assert error.count("\n") == 1
    with pytest.raises(SystemExit) as end:
        main(["repair", str(tmp_path / "t"), "--json"])
    assert end.value.code == 0
    told = json.loads(capsys.readouterr().out)
    assert [(each["hands"], each["done"]) for each in told["mended"]] == [(10, "hands 10 to 19 played again")] * 2
    assert contents(tmp_path / "t") == before
    assert read_tournament(tmp_path / "t").to_json() == whole
