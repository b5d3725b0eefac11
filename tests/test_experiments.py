"""Experiments: run, judged, drawn and gone on with."""

from __future__ import annotations

import json

import numpy as np
import pytest

from railbird.cli import main
from railbird.game.spec import limit_holdem
from railbird.papers.ring_games import EXPERIMENTS, Claim, Experiment, ExperimentResult, run_experiment
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.statistics import Estimate

SMALL = Experiment(
    "small",
    "a test",
    (("always-raise", 1), ("random", 2), ("always-fold", 1)),
    "as said",
    (Claim("always-raise", "random"), Claim("random", "always-raise"), Claim("always-raise", "0")),
)


def test_versions_are_averaged_over_copies_and_claims_judged(tmp_path):
    result = run_experiment(SMALL, tmp_path / "hands", deals=300, seed=3)
    by_player = result.match.won.mean(axis=(0, 1)) / 2
    assert result.rates["random"].mean == pytest.approx(by_player[1:3].mean())
    assert [finding.outcome for finding in result.findings] == ["reproduced", "contradicted", "reproduced"]
    assert "2 reproduced, 1 contradicted" in result.summary
    assert {finding.ours.claims for finding in result.findings} == {3}, "claims are judged together"
    said = result.to_json()["claims"][0]["lead"]
    assert f"{said['mean']:+.3f} ± {said['margin95']:.3f}" == result.findings[0].measured
    assert said["margin95"] > Estimate.of(result.deals[:, 0] - result.deals[:, 1]).margin
    again = run_experiment(SMALL, tmp_path / "hands", deals=300, seed=3)
    assert again.to_json() == result.to_json()


def test_a_claim_needs_its_interval():
    spec = MatchSpec(limit_holdem(2), ("random", "random"), 4, 0, duplicate=True)
    won = np.array([[[1, -1], [-1, 1], [3, -3], [-2, 2]]] * 2, np.int32)
    experiment = Experiment("x", "x", (("random", 1), ("random", 1)), "", (Claim("random", "0"),))
    assert ExperimentResult(experiment, MatchResult(spec, won)).findings[0].outcome == "not settled"


def test_every_experiment_seats_ten_known_bots():
    for experiment in EXPERIMENTS.values():
        spec = MatchSpec(limit_holdem(10), experiment.seats, 10, 1, duplicate=True)
        assert len(spec.names) == 10
        names = [bot for bot, _ in experiment.players]
        for claim in experiment.claims:
            assert claim.ahead in names
            assert claim.behind in [*names, "0"]


def test_the_command_writes_a_figure_and_a_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["experiment", "papp-8.1", "--hands", "4", "--json"])
    assert not end.value.code
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "railbird.experiment/1"
    assert data["trials"] == 40
    png, page = tmp_path / data["png"], tmp_path / data["html"]
    assert png.read_bytes().startswith(b"\x89PNG")
    text = page.read_text()
    assert "<svg" in text
    assert "papp-b ahead of papp-a" in text
    assert "<script" not in text
    assert "src=" not in text  # nothing is fetched


def test_without_matplotlib_nothing_is_played(tmp_path, monkeypatch, capsys):
    from railbird.results import figures

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(figures, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as end:
        main(["experiment", "papp-8.1", "--hands", "4"])
    assert end.value.code == 2
    assert "pip install 'railbird[figures]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "hands"), [("papp-5.2.1", 3), ("piel-5", 12)])
def test_studies_run_too(tmp_path, monkeypatch, capsys, name, hands):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["experiment", name, "--hands", str(hands), "--json"])
    assert not end.value.code
    data = json.loads(capsys.readouterr().out)
    assert data["study"] == name
    assert all((tmp_path / file).exists() for file in data.get("files", []))
