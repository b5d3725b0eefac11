"""Runs of the laboratory: started, watched, stopped and gone on with; and the pages of papers."""

import json
import re
import time

import pytest
from starlette.testclient import TestClient

from railbird.errors import MatchError
from railbird.papers.catalogue import STUDIES
from railbird.web.app import make_app
from railbird.web.entering import PASS, pass_of
from railbird.web.guard import COOKIE
from railbird.web.laboratory import asked_arguments
from railbird.web.runs import read_run, runs_in, start_run
from railbird.web.serving import Password, Serving
from railbird.web.watching import papers

PATIENCE_SECONDS = 300
"""Only a run that never ends takes as long."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def client(home):
    with TestClient(make_app(Serving(home, workers=1)), base_url="http://127.0.0.1") as found:
        yield found


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
    assert ">ended<" in page
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
        ({"kind": "match", "players": "loki"}, "names 1 bots under 'players', where 2 to 10 bots belong"),
        ({"kind": "match", "players": "loki lokki"}, "no bot 'lokki'; did you mean 'loki'"),
        ({"kind": "match", "players": "loki --help"}, "'--help' is no bot"),
        ({"kind": "match", "players": "loki yoki", "hands": "-5"}, "is no number of hands"),
        ({"kind": "match", "players": "loki yoki", "seed": "x"}, "is no number of seed"),
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


def test_a_public_server_starts_nothing(home):
    serving = Serving(home, password=Password.of("long enough"), workers=1)
    with TestClient(make_app(serving), base_url="https://example.org") as public:
        public.cookies.set(COOKIE, "0" * 32, domain="example.org")
        public.cookies.set(PASS, pass_of(serving, "0" * 32), domain="example.org")
        assert "hx-post" not in public.get("/laboratory").text
        answer = post(public, "/laboratory/start", kind="match", players="loki yoki", hands="10", seed="1")
        assert "starts nothing" in answer.text
        assert "starts nothing" in public.get("/laboratory/run/match-always-call-always-raise").text
