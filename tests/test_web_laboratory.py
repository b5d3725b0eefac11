"""Runs of the laboratory: started, watched, stopped and gone on with; and the pages of papers."""

import json
import re
import time

import numpy as np
import pytest
from starlette.testclient import TestClient

from railbird.errors import MatchError, RailbirdError
from railbird.papers.catalogue import STUDIES
from railbird.report.experiments import FIGURES, SUMMARY
from railbird.results.figures import Figure, Line
from railbird.web.app import make_app
from railbird.web.entering import PASS, pass_of
from railbird.web.guard import COOKIE
from railbird.web.laboratory import asked_arguments
from railbird.web.paper_pages import claim_rows, paper_page, paper_words, papers
from railbird.web.runs import read_run, runs_in, start_run
from railbird.web.serving import Password, Serving
from railbird.web.strengths import hands_now
from railbird.web.watching import win_rates

pytest_plugins = ["web_fixtures"]
PATIENCE_SECONDS = 300
"""Only a run that never ends takes as long."""


def post(client, path, **form):
    """The answer to a form of the page."""
    token = re.search(r'X-Railbird-Form":"(\w+)', client.get("/laboratory").text)[1]
    headers = {"X-Railbird-Form": token, "Origin": str(client.base_url), "HX-Request": "true"}
    return client.post(path, data=form, headers=headers)


def wait_until_ended(run):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while run.is_running:
        assert time.monotonic() < deadline, run.output()
        time.sleep(0.05)


def wait_until_playing(run):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (run.hands / "manifest.json").exists():
        assert run.is_running, run.output()
        assert time.monotonic() < deadline, run.output()
        time.sleep(0.05)


def test_a_match_is_started_watched_and_reviewed(client, home):
    form = {"kind": "match", "players": "always-call, always-raise", "hands": "60", "seed": "7", "duplicate": "on"}
    answer = post(client, "/laboratory/start", **form)
    assert answer.status_code == 204, answer.text
    address = answer.headers["HX-Redirect"]
    assert address == "/laboratory/run/match-always-call-always-raise"
    assert client.get(address).status_code == 200
    wait_until_ended(read_run(home, address.rpartition("/")[2]))
    page = client.get(f"{address}/now").text
    assert ">complete<" in page
    assert "always-call vs always-raise" in page
    assert "/review/match/runs/match-always-call-always-raise/hands" in page
    assert json.loads(re.search(r"data-curves>(.*?)</script>", page)[1])
    assert " style=" not in page
    assert client.get("/review/match/runs/match-always-call-always-raise/hands").status_code == 200
    assert address in client.get("/laboratory").text


def test_a_run_survives_the_server_stops_and_goes_on(home):
    # As another server would find it: by its folder alone.
    began = start_run(home, ["match", "vexbot", "vexbot2", "--hands", "9000000", "--seed", "1"])
    found = read_run(home, began.name)
    wait_until_playing(found)
    with pytest.raises(MatchError, match="is running already"):
        found.go_on()
    found.stop()
    wait_until_ended(found)
    assert "the same again" in found.output()
    again = found.go_on()
    assert read_run(home, began.name).pid == again.pid != found.pid
    assert again.is_running
    again.stop()
    wait_until_ended(again)
    assert began.name in [run.name for run in runs_in(home)]


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"kind": "match", "players": "loki"}, "names 1 bot under 'players', where 2 to 10 belong"),
        ({"kind": "match", "players": "loki lokki"}, "no bot 'lokki'; did you mean 'loki'"),
        ({"kind": "match", "players": "loki --help"}, "'--help' is no bot"),
        ({"kind": "match", "players": "loki yoki", "hands": "-5"}, "is no number of hands"),
        ({"kind": "match", "players": "loki yoki", "seed": "x"}, "is no seed"),
        ({"kind": "test", "new": "loki", "base": "yoki", "against": "jagbot", "gain": "nan"}, "is no gain"),
        ({"kind": "experiment", "experiment": "papp-9"}, "no experiment 'papp-9'"),
        ({"kind": "rm"}, "is nothing to run"),
    ],
)
def test_bad_input_is_answered_in_words(client, form, words):
    answer = post(client, "/laboratory/start", **{"hands": "10", "seed": "1", **form})
    assert answer.status_code == 200
    assert words in answer.text.replace("&#39;", "'")


def test_the_words_of_commands():
    size = {"hands": "1,000", "seed": "3"}
    test = {"kind": "test", "new": "loki", "base": "yoki", "against": "jagbot, expert", "gain": "0.1"}
    assert asked_arguments({**size, **test}) == (
        *("test", "loki", "yoki", "--against", "jagbot", "expert", "--gain", "0.1", "--hands", "1000", "--seed", "3"),
    )
    assert asked_arguments({**size, "kind": "experiment", "experiment": "papp-8.1"})[:2] == ("experiment", "papp-8.1")


def test_what_is_no_run_is_not_found(client):
    for name in ("nothing", "%2e%2e", ".hidden"):
        assert client.get(f"/laboratory/run/{name}").status_code == 404
    assert client.get("/laboratory/paper/nothing").status_code == 404


def test_each_paper_has_a_page_with_all_its_experiments(client):
    texts = [client.get(f"/laboratory/paper/{slug}").text for slug in papers()]
    assert sum(text.count('class="study"') for text in texts) == len(STUDIES)
    papp = client.get("/laboratory/paper/papp-1998").text
    assert "papp-b ahead of papp-a" in papp
    assert "contradicted" in papp


def test_the_experiments_of_a_paper_add_up():
    for words in paper_words().values():
        asked, *counted = map(int, re.findall(r"\d+", words))
        assert not counted or sum(counted) == asked, words


def test_an_experiment_that_ended_shows_its_figure_and_what_was_printed(client, home):
    folder = home / "runs" / "experiment-papp-8.4"
    (folder / "hands").mkdir(parents=True)
    run = {"schema": "railbird.run/1", "arguments": ["experiment", "papp-8.4", "--seed", "7"], "pid": 2}
    (folder / "run.json").write_text(json.dumps(run | {"began": "2026-11-16T12:00:00"}))
    claim = {"claim": "loki-som ahead of bpt", "reading": "", "paper": "ahead", "outcome": "reproduced"}
    claims = [claim | {"measured": "+0.143 ± 0.034"}]
    told = {"schema": "railbird.experiment-folder/1", "experiment": "papp-8.4", "size": 30, "seed": 7}
    (folder / "hands" / SUMMARY).write_text(json.dumps(told | {"verdict": "reproduced (1 claim)", "claims": claims}))
    line = {"name": "<b>loki</b>", "y": [1, 2], "margin": None, "colour": 0, "dashes": ""}
    curve = {"title": "Figure 8.4", "xLabel": "hands", "yLabel": "sb", "x": [1, 2], "lines": [line]}
    figures = {"schema": "railbird.experiment-figures/1", "figures": {"papp-8.4": curve}}
    (folder / "hands" / FIGURES).write_text(json.dumps(figures))
    page = client.get("/laboratory/run/experiment-papp-8.4").text
    assert "Experiment: papp-8.4" in page
    assert "SOM comparable to GOM" in page
    assert 'data-curve="papp-8.4"' in page
    assert json.loads(re.search(r"data-curves>(.*?)</script>", page)[1]) == {"papp-8.4": curve}
    assert page.count("<circle") == 1
    assert "reproduced (1 claim)" in client.get("/laboratory/paper/papp-1998").text
    for wrong in ("[", "{}", json.dumps(figures | {"figures": {"x": 3}})):
        (folder / "hands" / FIGURES).write_text(wrong)
        page = client.get("/laboratory/run/experiment-papp-8.4").text
        assert "loki-som ahead of bpt" in page
        assert "data-curve=" not in page


def test_what_was_measured_is_drawn_beside_what_was_printed():
    claim = {"claim": "SD", "reading": "", "outcome": "reproduced"}
    drawn = claim_rows(
        [
            {**claim, "paper": "2.934", "measured": "3.000 ± 1.000"},
            {**claim, "paper": "0.11 v 0.10", "measured": "-0.500 ± 0.500"},
            {**claim, "paper": "more", "measured": "not known"},
        ]
    )
    one, other, neither = (row.mark for row in drawn)
    assert one.low < one.printed < one.point < one.high
    assert other.low < other.point < other.high == other.zero == one.zero
    assert other.printed is None
    assert neither is None
    studies = {each.study.name: each for slug in papers() for each in paper_page(slug).studies}
    assert all(each.figures or each.claims for each in studies.values() if each.run)
    assert [len(marks) for _, marks in studies["papp-8.1"].figures] == [5]
    assert all(mark.printed is not None for _, marks in studies["papp-5.2.1"].figures for mark in marks)


def test_win_rates_narrow():
    hands = np.arange(1.0, 101.0)
    sums = Figure("", "hands", "sb", [Line("loki", hands, 2 * hands, 3 * np.sqrt(hands))])
    [line] = win_rates(sums).lines
    assert line.x[0] == 5
    assert (line.y == 2).all()
    assert (np.diff(line.margin) < 0).all()


def test_hands_are_weighed_at_a_step(client):
    query = {"holdings": "AsAd.KsKd", "board": ""}
    aces, kings = client.get("/review/strengths", params=query).json()["hands"]
    assert (aces["made"], aces["strength"], round(aces["equity"], 4)) == ("", None, 0.8264)
    assert aces["equity"] + kings["equity"] == pytest.approx(1)
    made = [hand.made for hand in hands_now(("AsAd", "KsKd", "2c2d"), "KhKc2h")]
    assert [words.partition(",")[0] for words in made] == ["two pair", "four of a kind", "full house"]
    for holdings in ("AsAd", "AsAd.AsKd", "QQ+.AA", "A" * 200, ".".join(["AsAd"] * 11)):
        answer = client.get("/review/strengths", params={"holdings": holdings}).json()
        assert answer["hands"] == []
        assert answer["wrong"]
    with pytest.raises(RailbirdError):
        hands_now(("AsAd", "KsKd"), "2c")


def test_a_public_server_starts_nothing(home):
    serving = Serving(home, password=Password.of("long enough"), workers=1)
    with TestClient(make_app(serving), base_url="https://example.org") as public:
        public.cookies.set(COOKIE, "0" * 32, domain="example.org")
        public.cookies.set(PASS, pass_of(serving, "0" * 32), domain="example.org")
        assert "hx-post" not in public.get("/laboratory").text
        answer = post(public, "/laboratory/start", kind="match", players="loki yoki", hands="10", seed="1")
        assert "starts nothing" in answer.text
        assert "starts nothing" in public.get("/laboratory/run/match-always-call-always-raise").text
