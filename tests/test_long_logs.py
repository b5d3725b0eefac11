"""Logs that are too long for memory are read in pieces, and say the same."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from railbird.errors import AssessmentError
from railbird.formats import log_pieces
from railbird.game.spec import limit_holdem
from railbird.play import assessing, match_sums, skill
from railbird.play.comparison_folder import ComparisonSpec, comparison_with_divat, run_comparison
from railbird.play.folder import MatchFolder
from railbird.play.log_result import log_result, log_with_divat
from railbird.play.match import MatchSpec
from railbird.play.match_logs import open_logs, read_hand_arrays
from railbird.play.run import run_matches
from railbird.play.tournament import TournamentSpec, run_tournament, tournament_with_divat

DEALS = 300


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("logs") / "m"
    spec = MatchSpec(limit_holdem(), ("random", "always-call"), DEALS, 3, duplicate=True, block_hands=40)
    run_matches([MatchFolder.create(path, spec)], 1)
    return path


@pytest.fixture
def logs(folder, tmp_path):
    """A match folder, its two logs alone, and one of these with remarks, hidden cards and another pair of players."""
    alone = [tmp_path / name for name in ("one.log", "two.log")]
    for log, copy in zip(sorted(folder.glob("*.log")), alone):
        shutil.copy(log, copy)
    odd = tmp_path / "odd.log"
    lines = alone[0].read_text().splitlines(keepends=True)
    lines[17] = "STATE:15:rrf:AsKd|2c7d:6000|-6000:random|always-call\n"
    lines[90] = "no hand at all\n"
    lines[200:210] = [line.replace("random", "somebody") for line in lines[200:210]]
    odd.write_text("".join(lines))
    return {"folder": [folder], "two logs": alone, "one log": alone[:1], "odd": [odd], "several": [folder, odd]}


@pytest.fixture
def long(monkeypatch):
    """From when it is called on, all logs are long."""

    def begin() -> None:
        monkeypatch.setattr(log_pieces, "MOST_BYTES", 1_000)
        monkeypatch.setattr(log_pieces, "AT_ONCE", 8_000)
        monkeypatch.setattr(log_pieces, "_LEAST", 3_000)

    return begin


def alike(one: object, other: object) -> bool:
    """Whether two answers are the same up to the last digits of numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        # What the seats were worth does not vary: its deviation is all rounding.
        keys = [key for key in one if key != "position"]
        return list(one) == list(other) and all(alike(one[key], other[key]) for key in keys)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return one == other


@pytest.mark.parametrize("which", ["folder", "two logs", "one log", "odd", "several"])
def test_a_long_log_is_assessed_to_the_same_words_and_numbers(logs, long, which):
    paths = logs[which]
    whole = assessing.assess(paths, progress=False)
    hand = assessing.hand_of(paths, 17, progress=False)
    long()
    found = assessing.assess(paths, progress=False)
    assert (len(found.pairs), len(found.sums), found.hands_read) == (0, len(whole.pairs), len(whole.hands))
    assert str(found) == str(whole)
    assert alike(found.to_json(), whole.to_json())
    assert str(assessing.hand_of(paths, 17, progress=False)) == str(hand)
    assert len(assessing.assess(paths, whole=True, progress=False).pairs) == len(whole.pairs)
    with pytest.raises(AssessmentError, match="hands were not kept; assess them with whole=True"):
        found.hand(17)


def test_pieces_have_the_hands_of_the_whole_and_name_its_lines(logs, long):
    whole = read_hand_arrays(logs["several"])
    long()
    pieces = list(open_logs(logs["two logs"][0]).pieces())
    assert len(pieces) > 2
    told = []
    pieces = list(log_pieces.read_pieces(assessing.log_sources(logs["several"]), lambda *each: told.append(each)))
    assert sum(map(len, pieces)) == len(whole)
    assert told[-1][0] == told[-1][1] == sum(path.stat().st_size for path in map(Path, whole.files)) // 1000
    found = {(piece.files[f], int(n)) for piece in pieces for f, n in zip(piece.file, piece.line)}
    assert found == {(whole.files[f], int(n)) for f, n in zip(whole.file, whole.line)}
    assert sum(int((piece.pair_of >= 0).sum()) for piece in pieces) == int((whole.pair_of >= 0).sum()) > 0
    lines = {(problem.file, problem.line) for piece in pieces for problem in piece.problems if problem.skipped}
    assert lines == {(problem.file, problem.line) for problem in whole.problems if problem.skipped}


@pytest.mark.parametrize("which", ["one log", "odd"])
def test_the_result_of_a_long_log_is_the_same(logs, long, which):
    [path] = logs[which]
    results = []
    for begin in (lambda: None, long):
        begin()
        found = log_result(open_logs(path))
        results += [found, log_with_divat(found) if len(found.players) == 2 else found]
    assert [str(each) for each in results[:2]] == [str(each) for each in results[2:]]
    assert alike(results[1].to_json(), results[3].to_json())


def test_the_skill_of_a_long_match_lies_in_a_file(folder, monkeypatch):
    match = MatchFolder.open(folder)
    whole = skill.with_divat(match, match.result())
    monkeypatch.setattr(skill, "_MOST_IN_MEMORY", 10)
    monkeypatch.setattr(match_sums, "PIECE", 70)
    found = skill.with_divat(match, match.result())
    assert isinstance(found.divat, np.memmap)
    assert np.array_equal(found.divat, whole.divat)
    assert alike(found.to_json(), whole.to_json())
    assert str(found) == str(whole)


def test_tournaments_and_comparisons_in_pieces_say_the_same(tmp_path, monkeypatch):
    bots = ("random", "always-call", "always-raise")
    tournament = TournamentSpec(limit_holdem(), bots, 50, 3)
    comparison = ComparisonSpec(limit_holdem(), "random", "always-raise", ("always-call", "always-fold"), 50, 3)
    results = []
    for piece in (1_000, 7):
        monkeypatch.setattr(match_sums, "PIECE", piece)
        table = tournament_with_divat(tmp_path / "t", run_tournament(tmp_path / "t", tournament, 1))
        versus = comparison_with_divat(run_comparison(tmp_path / "c", comparison, 1))
        results.append((table, versus))
    for one, other in zip(*results):
        assert str(one) == str(other)
        assert alike(one.to_json(), other.to_json())
    lines = [versus.figure().lines for _, versus in results]
    assert all(np.allclose(one.y, other.y) and one.name == other.name for one, other in zip(*lines))
