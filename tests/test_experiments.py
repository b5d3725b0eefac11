"""Studies of papers: the catalogue, ring games run, judged, drawn and gone on with, and what every result can do."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

from railbird.cli import main
from railbird.errors import MatchError, RailbirdError
from railbird.game.spec import limit_holdem
from railbird.papers.catalogue import STUDIES, named_study, run_study
from railbird.papers.ring_games import RingGame, RingGameEvidence
from railbird.papers.study import Asked, StudyResult
from railbird.play.faults import Fault, FaultKind
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.results.figures import Line
from railbird.statistics import Estimate

SMALL = RingGame(
    name="small",
    title="a test",
    versions=(("always-raise", 1), ("random", 2), ("always-fold", 1)),
    reported="as said",
    claims=("always-raise > random", "random > always-raise > 0"),
)
RING_GAMES = [study for study in STUDIES.values() if isinstance(study, RingGame)]


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    said = capsys.readouterr()
    return int(end.value.code or 0), said.out, said.err


# The catalogue


def test_every_study_says_what_it_is():
    for name, study in STUDIES.items():
        assert study.name == name
        assert study.title
        assert study.reported
        assert not study.reported.endswith("."), "a sentence goes on after it"
        assert study.claims or study.unjudged
        assert study.size > 0
        assert study.unit
    assert {name for name, study in STUDIES.items() if not study.claims} == {"papp-5.2.1"}
    takers = ["kan-4.5", "kan-4.6", "kan-4.8", "kan-4.9", "vexbot-table", "vexbot-start"]
    assert [name for name, study in STUDIES.items() if study.players] == takers


def test_the_command_lists_them(capsys):
    code, out, _ = run(capsys, "experiment")
    assert code == 0
    names = [line.split()[0] for line in out.splitlines()]
    assert names == list(STUDIES)
    assert names[:5] == ["papp-8.1", "papp-8.2", "papp-8.3", "papp-8.4", "lokibot-1"]
    assert names[-4:] == ["kan-4.8", "kan-4.9", "vexbot-table", "vexbot-start"]
    assert "kan-4.5        Kan 2007, Figure 4.5: DIVAT of a player against itself" in out.splitlines()


def test_an_unknown_name_is_answered_with_the_nearest(capsys):
    with pytest.raises(MatchError, match=r"no experiment 'papp-8\.44'; did you mean 'papp-8\.4'\?"):
        run_study("papp-8.44")
    code, _, err = run(capsys, "experiment", "vexbot-tabel")
    assert code == 2
    assert "did you mean 'vexbot-table'?" in err


def test_the_same_request_gets_the_same_folder():
    assert named_study("papp-8.1").folder_name() == "papp-8.1-10000-seed1"
    assert named_study("papp-8.1").folder_name(40, 2) == "papp-8.1-40-seed2"
    assert named_study("kan-4.5").folder_name(players=["loki:a=1"]) == "kan-4.5-loki_a_1-paper-seed1"


@pytest.mark.parametrize("study", RING_GAMES, ids=lambda study: study.name)
def test_every_ring_game_seats_ten_known_bots(study):
    spec = MatchSpec(limit_holdem(10), study.seats, 10, 1, duplicate=True)
    assert len(spec.names) == spec.seating.legs == 10, "as its unit says"
    names = [bot for bot, _ in study.versions]
    assert study.leads
    for ahead, behind in study.leads:
        assert ahead in names
        assert behind in [*names, "0"]


# Ring games


def test_versions_are_averaged_over_copies_and_claims_judged(tmp_path):
    asked = Asked(300, 3, tmp_path)
    result = SMALL.run(asked)
    evidence = result.evidence
    by_player = evidence.match.won.mean(axis=(0, 1)) / 2
    assert evidence.rates["random"].mean == pytest.approx(by_player[1:3].mean())
    assert [finding.outcome for finding in result.findings] == ["reproduced", "contradicted", "reproduced"]
    assert result.summary == "paper: as said. Claims: not reproduced (2 reproduced, 1 contradicted)"
    assert {finding.ours.claims for finding in result.findings} == {3}, "claims are judged together"
    said = result.to_json()["claims"][0]["lead"]
    assert f"{said['mean']:+.3f} ± {said['margin95']:.3f}" == result.findings[0].measured
    assert said["margin95"] > Estimate.of(evidence.deals[:, 0] - evidence.deals[:, 1]).margin
    again = SMALL.run(asked)
    assert again.to_json() == result.to_json()


def test_a_claim_needs_its_interval():
    spec = MatchSpec(limit_holdem(2), ("random", "random"), 4, 0, duplicate=True)
    won = np.array([[[1, -1], [-1, 1], [3, -3], [-2, 2]]] * 2, np.int32)
    game = RingGame(name="x", title="x", versions=(("random", 1), ("random", 1)), reported="", claims=("random > 0",))
    assert RingGameEvidence(game, MatchResult.of(spec, won)).findings[0].outcome == "not settled"


def test_the_interval_that_decides_is_the_one_that_is_shown(tmp_path):
    result = SMALL.run(Asked(40, 3, tmp_path))
    page = result._repr_html_()
    figure = result.figure()
    for finding in result.findings:
        assert finding.measured in str(result)
        assert finding.measured in page
        assert (str(finding), finding.measured, finding.outcome) in figure.rows
    assert figure.summary == result.summary
    assert str(result).splitlines()[-1] == result.summary
    assert repr(result) == "<StudyResult a test | 40 deals, each played 4 times | seed 3>"
    assert "| 1 deal, each played 4 times |" in repr(replace(result, size=1))


def test_a_bot_that_fails_is_mentioned():
    spec = MatchSpec(limit_holdem(2), ("random", "random"), 4, 0, duplicate=True)
    fault = Fault(2, "random", FaultKind.RAISED, "no [such] thing")
    match = MatchResult.of(spec, np.zeros((2, 4, 2), np.int64), (fault,))
    game = RingGame(name="x", title="x", versions=(("random", 1), ("random", 1)), reported="y", claims=("random > 0",))
    result = StudyResult(game, 4, 0, RingGameEvidence(game, match))
    assert "1 fault of a bot: hand 2: random raised: no [such] thing" in str(result)


def test_a_running_total_has_the_interval_of_each_total():
    samples = np.random.default_rng(5).normal(size=1_000)
    line = Line.running_total("x", samples, hands=10, has_band=True)
    assert len(line.x) == len(line.y) == 400
    at = 123
    deals = int(line.x[at]) // 10
    assert line.y[at] == pytest.approx(sum(samples[:deals]))
    assert line.margin[at] == pytest.approx(1.96 * deals**0.5 * samples[:deals].std())
    assert (line.x[-1], Line.running_total("x", samples).margin) == (10_000, None)


# Results


@pytest.mark.parametrize(
    ("name", "size", "keys", "figures"),
    [
        (
            "papp-8.1",
            2,
            "schema experiment figure reported deals trials seed unit players claims faults",
            ["papp-8.1"],
        ),
        ("papp-5.2.1", 3, "schema study size seed results", []),
        ("papp-7.2.3", 3, "schema study size seed reweightings shares claims", []),
        ("lokibot-1", 1, "schema study size seed readings claims", ["lokibot-1-1", "lokibot-1-2", "lokibot-1-3"]),
        ("piel-5", 12, "schema study size seed players won bits_gained claims", ["piel-5.1", "piel-5.2"]),
    ],
)
def test_every_result_stands_in_text_json_and_frames(name, size, keys, figures):
    result = run_study(name, size, seed=2)
    data = result.to_json()
    assert list(data) == keys.split()
    assert data["seed"] == 2
    assert str(result).startswith(f"{STUDIES[name].title} | {size} ")
    assert "| seed 2" in repr(result)
    assert f"paper: {STUDIES[name].reported}. Claims: " in str(result)
    assert len(result.to_frame()) == len(result.rows()) > 0
    assert list(result.figures()) == figures
    assert "nan" not in str(result).split()
    if figures:
        assert result.plot().title == result.figures()[figures[0]].title
    else:
        with pytest.raises(RailbirdError, match=f"{name} has no curves to draw"):
            result.plot()
    again = run_study(name, size, seed=2)
    assert json.dumps(again.to_json()) == json.dumps(data)


def test_a_ring_game_in_several_readings():
    result = run_study("lokibot-1", 2, seed=3)
    claims = [str(finding) for finding in result.findings]
    assert claims[0] == "lokibot-a ahead of lokibot-b, weights after a call"
    assert sum(claim.endswith("uniform weights") for claim in claims) == 4, "A and B are the same there"
    assert {finding.ours.claims for finding in result.findings} == {len(claims)} == {16}
    rates = {(row["reading"], row["player"]): row["mean"] for row in result.rows()}
    for reading, game in result.study.games.items():
        alone = RingGameEvidence(game, result.evidence.evidence[reading].match)
        assert rates[reading, "lokibot-d"] == alone.rates[game.versions[3][0]].mean
    assert len({rates[reading, "lokibot-a"] for reading in result.study.games}) > 1


def test_figures_with_the_other_ranking():
    for figure in ("papp-8.1", "papp-8.2", "papp-8.3", "papp-8.4"):
        usual, by_field = STUDIES[figure], STUDIES[f"{figure}-field"]
        assert len(by_field.leads) == len(usual.leads)
        for (bot, copies), other in zip(usual.versions, by_field.versions, strict=True):
            has_model = not bot.startswith("bp")
            assert other == (f"{bot}:ranking=field" if has_model else bot, copies)


def test_progress_is_told_by_part():
    told: dict[tuple[str, str], list[tuple[int, int]]] = {}

    def bar(title: str, unit: str = ""):
        told[title, unit] = []
        return nullcontext(lambda done, total, detail="": told[title, unit].append((done, total)))

    run_study("papp-8.1", 2, progress=bar)
    run_study("papp-5.2.1", 2, progress=bar)
    assert list(told) == [("playing", "hands"), ("playing", "positions")]
    assert all(ticks[-1][0] == ticks[-1][1] for ticks in told.values())
    assert told["playing", "hands"][-1] == (20, 20)


def test_without_a_folder_nothing_is_left(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    run_study("papp-8.1", 1, progress=False)
    assert list(tmp_path.iterdir()) == []


def test_only_some_studies_take_players():
    with pytest.raises(MatchError, match=r"papp-8\.1 has its own players"):
        run_study("papp-8.1", 2, players=("random",))


# The command


def test_the_command_writes_a_figure_and_a_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "experiment", "papp-8.1", "--hands", "4", "--json")
    assert code == 0
    data = json.loads(out)
    assert data["schema"] == "railbird.experiment/1"
    assert data["trials"] == 40
    assert data["png"] == "experiments/papp-8.1-4-seed1/papp-8.1.png"
    png, page = tmp_path / data["png"], tmp_path / data["html"]
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "papp-b ahead of papp-a" in page.read_text(encoding="utf-8")
    _, out, _ = run(capsys, "experiment", "papp-8.1", "--hands", "4")
    assert out.splitlines()[-3:] == [
        f"figure: {data['png']}",
        f"page: {data['html']}",
        "all experiments: experiments/index.html",
    ]
    assert "papp-b ahead of papp-a" in out
    assert "papp-8.1-4-seed1/papp-8.1.html" in (tmp_path / "experiments" / "index.html").read_text(encoding="utf-8")


def test_without_matplotlib_there_is_a_page_and_no_picture(tmp_path, monkeypatch, capsys):
    from railbird.results import figures

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(figures, "find_spec", lambda name: None)
    code, out, _ = run(capsys, "experiment", "papp-8.1", "--hands", "2", "--json")
    data = json.loads(out)
    assert (code, data["png"]) == (0, None)
    assert (tmp_path / data["html"]).stat().st_size > 50_000
    _, out, err = run(capsys, "experiment", "papp-8.1", "--hands", "2")
    assert "pip install 'railbird[figures]'" in err
    assert "figure:" not in out
    assert list(tmp_path.rglob("*.png")) == []


def test_elsewhere_nothing_is_written_beside_the_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "experiment", "papp-8.1", "--hands", "2", "--out", "mine")
    assert (code, out.splitlines()[-1]) == (0, "page: mine/papp-8.1.html")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    code, out, _ = run(capsys, "experiment", "--index", ".")
    assert (code, out) == (0, "index: index.html\n")
    assert "mine/papp-8.1.html" in (tmp_path / "index.html").read_text(encoding="utf-8")
    code, _, err = run(capsys, "experiment", "--index", "nowhere")
    assert (code, "no folder 'nowhere'" in err) == (2, True)


@pytest.mark.parametrize(("name", "hands", "files"), [("papp-5.2.1", 3, 1), ("piel-5", 12, 3)])
def test_studies_without_claims_run_too(tmp_path, monkeypatch, capsys, name, hands, files):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "experiment", name, "--hands", str(hands), "--json")
    assert code == 0
    data = json.loads(out)
    assert data["study"] == name
    assert len(data["files"]) == files
    assert all((tmp_path / file).exists() for file in data["files"])
