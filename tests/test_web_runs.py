"""The states of a run: what its page says and offers, and what comes of using it badly."""

import re
import shutil
from pathlib import Path

import pytest

from railbird.errors import MatchError
from railbird.formats.games import read_game
from railbird.play.matches import play_match
from railbird.play.tournament import TournamentSpec, run_tournament
from railbird.web import laboratory, runs
from railbird.web.laboratory import asked_arguments, named_bots
from railbird.web.runs import read_run, start_run
from runs_at_hand import running, show_hands, write_run
from test_web_laboratory import post, wait_until_ended

pytest_plugins = ["web_fixtures"]
WORDS = ("match", "always-call", "random", "--hands", "60", "--seed", "7")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("played") / "match"
    play_match("always-call", "random", hands=60, seed=7, folder=folder)
    return folder


def state(text):
    return re.search(r'id="badge"[^>]*>([^<]*)<', text)[1]


def listed(client, name):
    """What the list calls the state of a run."""
    row = re.search(rf'run/{name}".*?</tr>', client.get("/laboratory").text, re.S)[0]
    return re.search(r'</th><td class="words">([^<]*)<', row)[1]


def test_only_what_is_not_complete_goes_on(client, home, played):
    folder = write_run(home, "part", *WORDS)
    show_hands(played, folder / "hands", 20)
    (folder / "output.txt").write_text("stopped: 20 of 60 hands are kept\n")
    page = client.get("/laboratory/run/part").text
    assert state(page) == "stopped"
    assert 'id="go-on"' in page
    assert "before it could say anything" not in page
    (folder / "output.txt").write_text("")
    assert "before it could say anything" in client.get("/laboratory/run/part/now").text
    show_hands(played, folder / "hands", 60)
    page = client.get("/laboratory/run/part").text
    assert state(page) == "complete"
    assert 'id="go-on"' not in page
    assert "before it could say anything" not in page
    assert 'id="review" href="/review/match/runs/part/hands"' in page
    assert "The same command with more hands goes on from here" in page


def test_a_complete_run_is_extended(client, home, played):
    folder = write_run(home, "more", *WORDS)
    show_hands(played, folder / "hands", 60)
    for hands, words in (("60", "write more than 60"), ("0", "is no number of hands"), ("x", "is no number of hands")):
        answer = post(client, "/laboratory/run/more/go-on", hands=hands)
        assert words in answer.text
        assert state(answer.text) == "complete"
    assert state(post(client, "/laboratory/run/more/go-on", hands="90").text) in ("running", "complete")
    run = read_run(home, "more")
    assert run.arguments == ("match", "always-call", "random", "--hands", "90", "--seed", "7")
    wait_until_ended(run)
    page = client.get("/laboratory/run/more").text
    assert state(page) == "complete"
    assert "90 hands" in page
    assert (folder / "hands" / "hands.log").read_text().count("STATE:") == 90


def test_what_was_refused_says_why(client, home):
    folder = write_run(home, "refused", "match", "loki:tightness=odd", "random", "--hands", "9")
    (folder / "output.txt").write_text("warning\nerror: tightness is <b>odd</b>\n")
    page = client.get("/laboratory/run/refused").text
    assert state(page) == "refused"
    assert "Tightness is &lt;b&gt;odd&lt;/b&gt;</p>" in page
    assert 'id="go-on"' not in page  # the same command would be refused again
    assert 'href="/laboratory?kind=match">To the form</a>' in page
    assert listed(client, "refused") == "refused"


def test_the_list_and_the_page_have_the_same_words(client, home, played):
    folder = write_run(home, "worded", *WORDS)

    def both(expected):
        assert state(client.get("/laboratory/run/worded").text) == expected
        assert listed(client, "worded") == expected

    both("stopped")
    (folder / "output.txt").write_text("error: no such bot\n")
    both("refused")
    show_hands(played, folder / "hands", 20)
    both("stopped")  # it was not refused before, and can go on
    show_hands(played, folder / "hands", 60)
    both("complete")
    manifest = folder / "hands" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"hands": 60', '"hands": 90'))
    both("stopped")  # more are asked for, of which none is played yet
    with running(home, "worded", *WORDS):
        both("running")


def test_the_form_of_a_kind_is_open(client):
    for kind, query in (("match", ""), ("test", "?kind=test"), ("match", "?kind=<b>"), ("experiment", "?experiment=x")):
        page = client.get(f"/laboratory{query}").text
        assert re.findall(r'<details class="kind" open><summary>An? (\w+)', page) == [kind]


def test_stopping_twice_and_going_on_at_once(client, home, played):
    with running(home, "twice", *WORDS) as (folder, process):
        show_hands(played, folder / "hands", 20)
        assert state(client.get("/laboratory/run/twice").text) == "running"
        # Somebody at another browser has gone on with it already: nothing is wrong with that.
        assert state(post(client, "/laboratory/run/twice/go-on").text) == "running"
        assert process.poll() is None
        assert state(post(client, "/laboratory/run/twice/stop").text) == "stopped"
        assert state(post(client, "/laboratory/run/twice/stop").text) == "stopped"
        post(client, "/laboratory/run/twice/go-on")
        run = read_run(home, "twice")
        assert run.pid != process.pid
        wait_until_ended(run)
        assert state(client.get("/laboratory/run/twice").text) == "complete"


def test_whoever_only_looks_is_not_in_the_way(home, monkeypatch):
    """A run begins although somebody has its lock for a moment, to see whether it is running."""
    folder = write_run(home, "looked", *WORDS)
    refused = iter([BlockingIOError, BlockingIOError])
    real = runs.fcntl.flock

    def flock(handle, kind):
        if kind & runs.fcntl.LOCK_EX and (error := next(refused, None)):
            raise error
        return real(handle, kind)

    monkeypatch.setattr(runs.fcntl, "flock", flock)
    run = read_run(home, folder.name).go_on()
    run.stop()
    wait_until_ended(run)


def test_a_run_whose_process_was_killed_goes_on(client, home, played):
    with running(home, "killed", *WORDS) as (folder, process):
        show_hands(played, folder / "hands", 20)
        process.kill()
        process.wait()
        page = client.get("/laboratory/run/killed").text
        assert state(page) == "stopped"
        assert "before it could say anything" in page


def test_a_run_whose_folder_is_gone_is_told_of(client, home, played):
    with running(home, "gone", *WORDS) as (folder, _):
        show_hands(played, folder / "hands", 20)
        (folder / "hands" / "hands.log").unlink()
        assert state(client.get("/laboratory/run/gone").text) == "running"
        shutil.rmtree(folder / "hands")
        assert "Nothing was played" in client.get("/laboratory/run/gone").text
        shutil.rmtree(folder)
        assert client.get("/laboratory/run/gone").status_code == 404
        for answer in (client.get("/laboratory/run/gone/now"), post(client, "/laboratory/run/gone/stop")):
            assert answer.status_code == 200
            assert "no run &#39;gone&#39; here" in answer.text
        assert client.get("/laboratory").status_code == 200


def test_no_more_runs_go_on_than_the_machine_should_bear(client, home, monkeypatch):
    monkeypatch.setattr(runs, "MOST_RUNNING", 1)
    write_run(home, "waiting", *WORDS)
    with running(home, "busy", *WORDS) as (_, process):
        answer = post(client, "/laboratory/run/waiting/go-on")
        assert "1 run goes on already; wait for it, or stop it" in answer.text
        assert state(answer.text) == "stopped"
        assert process.poll() is None


def test_an_experiment_that_goes_on_shows_the_match_that_it_plays(client, home, played):
    with running(home, "trying", "experiment", "papp-8.4", "--hands", "30") as (folder, process):
        assert "Nothing was played" in client.get("/laboratory/run/trying").text
        show_hands(played, folder / "hands" / "one", 20)
        show_hands(played, folder / "hands" / "two", 60)
        page = client.get("/laboratory/run/trying").text
        assert "This is the match that was played last" in page
        assert "60 hands" in page
        assert all(f'data-curve="curve-{number}"' in page for number in (0, 1))
        assert page.count("Drag to zoom") == 1
        process.kill()
        process.wait()
        page = client.get("/laboratory/run/trying").text
        assert state(page) == "stopped"  # whatever one match of it is
        assert 'id="go-on"' in page


def test_nothing_else_is_done_with_a_run(client, home):
    write_run(home, "plain", *WORDS)
    assert post(client, "/laboratory/run/plain/delete").status_code in (404, 405)
    assert not read_run(home, "plain").is_running


def test_long_logs_are_read_by_those_who_take_their_time(client, home, played, monkeypatch):
    folder = write_run(home, "long", *WORDS)
    show_hands(played, folder / "hands", 60)
    monkeypatch.setattr(laboratory, "_LONG_BYTES", 1)
    assert state(client.get("/laboratory/run/long").text) == "complete"


def test_a_name_in_any_letters(client, home, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    code = "from railbird import Bot\nclass B(Bot):\n    def act(self, view):\n        return view.check_or_fold()\n"
    Path("日本 bot's.py").write_text(code)
    form = {"kind": "match", "players": '"日本 bot\'s.py:B" random', "hands": "4", "seed": "1"}
    answer = post(client, "/laboratory/start", **form)
    address = answer.headers["HX-Redirect"]
    assert address.isascii()
    run = next(run for run in runs.runs_in(home) if run.arguments[1] == "日本 bot's.py:B")
    wait_until_ended(run)
    page = client.get(address)
    assert page.status_code == 200
    assert "日本 bot&#39;s.py:B" in page.text
    assert f'href="{address}"' in client.get("/laboratory").text


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        ("loki,jagbot", ["loki", "jagbot"]),
        (" loki ,jagbot,\nyoki,", ["loki", "jagbot", "yoki"]),
        ("random:fold=0,call=1,loki random:fold=1", ["random:fold=0,call=1", "loki", "random:fold=1"]),
        ("'lines:python3 caller.py' loki", ["lines:python3 caller.py", "loki"]),
        ("", []),
        (",", []),
    ],
)
def test_bots_are_named_with_commas_or_blanks(text, bots):
    assert named_bots(text) == bots


SIZE = {"hands": "10", "seed": "1"}


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"kind": "match", "players": "loki ./nope.py:Bot"}, "no file 'nope.py' in"),
        ({"kind": "match", "players": "loki './nope.py:Bot"}, "quotation mark that is not closed"),
        ({"kind": "match", "players": "loki"}, "names 1 bot under 'players', where 2 to 10 belong"),
        ({"kind": "match", "players": "loki yoki", "hands": "0"}, "'0' is no number of hands"),
        ({"kind": "match", "players": "loki yoki", "hands": "99999999999"}, "from 1 to 10,000,000"),
        ({"kind": "match", "players": "loki yoki", "seed": "-1"}, "'-1' is no seed"),
        ({"kind": "tournament", "players": "loki yoki", "seats": "3"}, "where 3 to 40 belong"),
        ({"kind": "tournament", "players": "loki yoki", "seats": "11"}, "'11' is no number of seats"),
        ({"kind": "tournament", "players": "random " * 30, "seats": "5"}, "142,506 line-ups; at most 1,000"),
        (
            {"kind": "test", "new": "loki yoki", "base": "loki", "against": "loki"},
            "under 'new', where one belongs",
        ),
        ({"kind": "test", "new": "loki", "base": "yoki", "against": "jagbot", "gain": "1_0"}, "'1_0' is no gain"),
        ({"kind": "test", "new": "loki", "base": "yoki", "against": "jagbot", "gain": ""}, "'' is no gain"),
        ({"kind": "experiment", "experiment": "papp-8.1", "hands": "0"}, "'0' is no number of hands"),
    ],
)
def test_what_cannot_be_run_is_refused_before_it_is_begun(form, words):
    with pytest.raises(MatchError, match=re.escape(words)):
        asked_arguments({**SIZE, **form})


def test_tournaments_at_larger_tables():
    form = {**SIZE, "kind": "tournament", "players": "loki yoki jagbot"}
    assert asked_arguments({**form, "seats": "3"})[4:6] == ("--seats", "3")
    assert "--seats" not in asked_arguments({**form, "seats": "2"})


FATAL = "Fatal Python error: init_import_site: Failed to import the site module\nPython runtime state: initialized\n"


@pytest.mark.parametrize("before", ["", FATAL])
def test_a_start_that_is_stopped_at_once_says_so_in_words(client, home, before):
    run = start_run(home, WORDS)
    run.stop()
    wait_until_ended(run)
    # As Python tells of Ctrl-C before the command can answer it.
    told = (
        'Traceback (most recent call last):\n  File "<frozen runpy>", line 189\n    import typer\nKeyboardInterrupt\n\n'
    )
    (run.folder / "output.txt").write_text(before + told)
    assert run.output() == "stopped: before it had begun\n"
    page = client.get(f"/laboratory/run/{run.name}").text
    assert "Traceback" not in page
    assert "before it could say anything" not in page


def test_matches_without_a_hand_have_no_review(client, home, tmp_path):
    words = ("tournament", "always-call", "random", "always-raise", "--hands", "40", "--seed", "7")
    folder = write_run(home, "uneven", *words)
    run_tournament(tmp_path / "played", TournamentSpec(read_game("limit", 2), words[1:4], 40, 7))
    show_hands(tmp_path / "played", folder / "hands", 0)
    assert "/review/match/" not in client.get("/laboratory/run/uneven").text
    show_hands(tmp_path / "played" / "01-02", folder / "hands" / "01-02", 20)
    page = client.get("/laboratory/run/uneven").text
    links = re.findall(r'"(/review/match/[^"]*)"', page)
    assert links == ["/review/match/runs/uneven/hands/01-02"]
    assert client.get(links[0]).status_code == 200
