"""`railbird play`: a person at a table, in lines on a pipe and drawn on a terminal."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird.assess.departures import departures
from railbird.assess.leaks import leaks
from railbird.bots.base import Bot
from railbird.bots.decision import Decision
from railbird.cards import card_text, cards_text
from railbird.cli import main
from railbird.errors import IllegalActionError, MatchError, UnknownBotError
from railbird.game.actions import CALL, FOLD, RAISE, raise_to
from railbird.game.betting import Betting
from railbird.game.spec import kuhn_poker, limit_holdem, no_limit_holdem
from railbird.game.view import PlayerView
from railbird.play.advisor import Advisor
from railbird.play.assessing import assess
from railbird.play.choices import answer, choices, sizes
from railbird.play.folder import MatchFolder
from railbird.play.hand import HandPlayer
from railbird.play.hands import played_hands
from railbird.play.match import MatchSpec
from railbird.play.match_logs import read_hands
from railbird.play.person import KeptDecisions, Person
from railbird.play.sitting import Sitting, table_spec
from railbird.play.sitting_report import sitting_report
from railbird.statistics import Estimate
from railbird.words import rate

PLAYERS = Path(__file__).parent / "players.py"
COMMAND = [sys.executable, "-m", "railbird", "play"]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def sit(capsys, monkeypatch):
    """Play with these lines as input: exit code, output and error output."""

    def played(lines: str, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        with pytest.raises(SystemExit) as end:
            main(["play", *arguments])
        captured = capsys.readouterr()
        return end.value.code or 0, captured.out, captured.err

    return played


def view_of(game, history: str = "", hole=(0, 5), board=()) -> PlayerView:
    """The view of whoever is to act."""
    node = Betting.start(game).play(history)
    names = tuple(f"player{p}" for p in range(game.seats))
    return PlayerView(node, node.to_act, hole, board, 7, names)


# What an answer means


@pytest.mark.parametrize(
    ("history", "text", "action"),
    [
        ("", "f", FOLD),
        ("", "fold", FOLD),
        ("", "c", CALL),
        ("", " Call ", CALL),
        ("", "r", RAISE),
        ("", "raise", RAISE),
        ("", "r4", RAISE),
        ("c", "k", CALL),
        ("cc/", "b", RAISE),
        ("cc/", "bet 2", RAISE),
    ],
)
def test_an_answer_at_limit(history, text, action):
    assert answer(view_of(limit_holdem(), history), text) == action


@pytest.mark.parametrize(
    ("history", "text", "why"),
    [
        ("", "x", "'x' is not understood"),
        ("", "", "'' is not understood"),
        ("", "r 5", "5 cannot be bet here: r raises to 4"),
        ("", "r much", "'r much' is not understood"),
        ("rrr", "r", "no raise here: the preflop is capped"),
        ("c", "f", "there is nothing to fold to: checking is free (c)"),
        ("c", "ff", "there is nothing to fold to: checking is free (c)"),
    ],
)
def test_an_answer_that_cannot_be_is_refused_in_words(history, text, why):
    with pytest.raises(IllegalActionError) as refused:
        answer(view_of(limit_holdem(), history), text)
    assert str(refused.value) == why


def test_a_fold_where_checking_is_free_is_asked_back():
    view = view_of(replace(limit_holdem(), free_fold=True), "c")
    with pytest.raises(IllegalActionError, match=re.escape("checking is free (c); ff folds all the same")):
        answer(view, "f")
    assert answer(view, "ff") == FOLD


def test_amounts_are_those_of_the_street():
    view = view_of(no_limit_holdem(), "r300c/r500", board=(10, 15, 20))
    assert choices(view)[-1] == ("r", "raise, 400 to 19700")
    assert sizes(view) == {"min": 400, "half": 700, "pot": 1200, "max": 19700}
    assert answer(view, "r 700") == raise_to(1000)
    assert answer(view, "raise to 700") == raise_to(1000)
    assert answer(view, "r pot") == raise_to(1500)
    assert answer(view, "r max") == raise_to(20000)
    for text, why in (("r", "how much? r 400 to r 19700, or r min (400)"), ("r 399", "from 400 to 19700")):
        with pytest.raises(IllegalActionError, match=re.escape(why)):
            answer(view, text)


def test_every_offer_is_legal():
    for game in (limit_holdem(3), no_limit_holdem(3, stack=250)):
        nodes = [Betting.start(game)]
        while nodes:
            node = nodes.pop()
            if node.is_over or len(node.history) > 9:
                continue
            view = PlayerView(node, node.to_act, (0, 5), (), 0, ("a", "b", "c"))
            for key, _ in choices(view):
                names = sizes(view) if key == "r" and game.stacks else [""]
                nodes += [node.after(answer(view, f"{key} {name}".strip())) for name in names]


# On a pipe


def test_a_hand_on_a_pipe(sit):
    code, out, _ = sit("c\nc\nc\nc\n", "always-call", "--seed", "3", "--hands", "1")
    assert code == 0
    for words in (
        "hand 0, limit, blinds 1/2, bets 2/4",
        "you (BB), always-call (button, SB)",
        "your cards: A♣ Q♣",
        "your turn, pot 4: c check, r raise to 4, ? advice, q leave",
        "you check",
        "always-call has ",
        "showdown: ",
        "in 1 hand",
        "you vs always-call | limit heads-up | 1 hand",
        "railbird assess matches/you-v-always-call-limit-seed3",
    ):
        assert words in out, words


def test_cards_of_others_stay_hidden_unless_they_are_shown(sit):
    code, out, _ = sit("f\n" * 20, "always-raise", "--seed", "3", "--hands", "6", "--out", "there")
    assert code == 0
    hands = read_hands("there")
    assert len(hands) == 6
    hidden = [hand.holes[hand.names.index("always-raise")] for hand in hands]
    table = out[: out.index("you vs")]
    for cards in hidden:
        assert cards_text(cards, pretty=True) not in table
        assert card_text(cards[0]) not in table
    _, out, _ = sit("f\n" * 20, "always-raise", "--seed", "3", "--hands", "6", "--out", "open", "--reveal")
    for cards in hidden:
        assert f"always-raise has {cards_text(cards, pretty=True)}" in out


def test_what_is_not_understood_is_asked_again(sit):
    _, out, _ = sit("x\n\nf\nq\n", "always-call", "--seed", "3")
    assert "'x' is not understood" in out
    assert "there is nothing to fold to: checking is free (c)" in out
    assert out.count("your turn") == 4
    assert "no hand was finished" in out


def test_six_seats_and_no_limit_with_amounts(sit):
    bots = ["always-call", "always-call", "expert", "expert", "always-fold"]
    table = ["--game", "no-limit", "--seed", "11", "--hands", "1", "--out", "there"]
    code, out, _ = sit("r 400\nr pot\nc\nc\nc\n", *bots, *table)
    assert code == 0
    assert "you raise" in out
    [hand] = read_hands("there")
    assert "r400" in hand.history
    hand.check()
    assert "no-limit 6 seats" in out
    assert re.search(r"money +[+-].* bb/hand for you", out)


def test_a_seat_and_a_name(sit):
    _, out, _ = sit("c\n" * 9, "always-call", "always-fold", "--seat", "2", "--name", "Zoë", "--seed", "1", "-n", "1")
    assert MatchFolder.open(Path("matches/always-call-v-Zoë-v-always-fold-limit-seed1")).spec.names[1] == "Zoë"
    assert "Zoë checks" in out or "Zoë calls" in out


def test_other_commands_read_what_was_played(sit, capsys):
    sit("c\n" * 40, "random", "--seed", "3", "--hands", "4", "--out", "there", "--name", "Zoë")
    for arguments in (["results", "there"], ["replay", "there", "2"], ["assess", "there"]):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        out = capsys.readouterr().out
        assert not end.value.code
        assert "Zoë" in out
    result = MatchFolder.open(Path("there")).result()
    assert str(result).startswith("Zoë vs random | limit heads-up | 4 hands | seed 3")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lokki"], "no bot 'lokki'; did you mean 'loki'?"),
        (["loki", "--name", "expert"], "'expert' is the name of a bot; choose another name"),
        (["loki", "--name", "a b"], "'a b' cannot be your name: letters, digits, _ and -"),
        (["loki", "--seat", "3"], "seat 3; a table of 2 has seats 1 to 2"),
        (["loki"] * 10, "at a table with you there are 1 to 9"),
        (["always-call", "--advisor", "lokki"], "no bot 'lokki'"),
        (["always-call", "--game", "kuhn", "--advisor", "expert"], "'expert' cannot advise: it does not play kuhn"),
    ],
)
def test_bad_tables_are_refused_in_one_line(sit, arguments, message):
    code, _, err = sit("", *arguments)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
    assert not Path("matches").exists()


def test_a_bot_that_fails_does_not_end_the_evening(sit):
    code, out, _ = sit("c\n" * 40, f"{PLAYERS}:Crasher", "--seed", "3", "--hands", "3", "--out", "there")
    assert code == 0
    assert "Crasher raised" in out
    assert len(read_hands("there")) == 3
    assert re.search(r"faults? of (a bot|bots)", out)


def test_what_bots_print_is_not_said_at_the_table(sit):
    _, out, err = sit("c\n" * 9, f"{PLAYERS}:Printer", "--seed", "3", "--hands", "1")
    silent = sit("c\n" * 9, "always-call", "--seed", "3", "--hands", "1")[1]
    assert len(out.splitlines()) == len(silent.splitlines())
    assert not err
    [printed] = Path("matches").glob("*/Printer.output.txt")
    assert printed.read_text()


# Leaving, and coming back


def test_a_hand_that_was_left_goes_on_where_it_was_left(sit):
    lines = "crcccrcfccrccccrcccrcccc" * 3
    bot = f"{PLAYERS}:Learner"
    sit("\n".join(lines), bot, "--seed", "5", "--hands", "8", "--out", "whole")
    done, at = 0, 0
    while done < 8:
        # A few answers at a time: most sittings end in the middle of a hand.
        some = "\n".join(lines[at : at + 3]) + "\n"
        _, out, _ = sit(some, bot, "--seed", "5", "--hands", str(8 - done), "--out", "parts")
        at += 3
        done = len(read_hands("parts"))
        if done < 8 and Path("parts/unfinished.json").exists():
            assert f"hand {done} waits for you: it is not counted, and goes on next time" in out
    assert Path("parts/hands.log").read_bytes() == Path("whole/hands.log").read_bytes()
    assert not Path("parts/unfinished.json").exists()


def test_the_table_without_a_seed_is_new_once_and_then_the_same(sit):
    sit("f\n" * 9, "always-raise", "--hands", "2")
    folder = Path("matches/you-v-always-raise-limit")
    seed = MatchFolder.open(folder).spec.seed
    _, out, _ = sit("f\n" * 9, "always-raise", "--hands", "1")
    assert "3 hands, 1 of them now" in out
    assert MatchFolder.open(folder).spec.seed == seed
    other = table_spec(Path("elsewhere"), ["always-raise"], Person("you"), "limit", 1, None)
    assert other.seed != seed  # but once in two thousand million times


def test_kept_decisions_that_do_not_fit_are_left_alone(tmp_path):
    view = view_of(limit_holdem(), "c")
    for text in ("", "[]", "{}", '{"hand": "x", "decisions": {}}', '{"hand": 7, "decisions": ["c"]}'):
        (tmp_path / "unfinished.json").write_text(text)
        assert KeptDecisions(tmp_path).decision(view) is None
    (tmp_path / "unfinished.json").write_text(json.dumps({"hand": 7, "decisions": {"c": "f", "cr": "r9x"}}))
    assert KeptDecisions(tmp_path).decision(view) is None  # folding is not legal here
    kept = KeptDecisions(tmp_path)
    kept.add(view, CALL)
    assert KeptDecisions(tmp_path).decision(view) == CALL
    assert KeptDecisions(tmp_path).decision(view._replace(hand_number=8)) is None
    kept.clear()
    assert KeptDecisions(tmp_path).decision(view) is None


def test_nothing_is_lost_when_the_process_is_killed_in_mid_hand():
    arguments = ["always-call", "--seed", "3", "--out", "there"]
    with subprocess.Popen(
        [*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        process.stdin.write("c\nc\nc\nc\nr\nc\n")
        process.stdin.flush()
        turns = (line for line in process.stdout if line.startswith("your turn"))
        for _ in range(7):
            next(turns)
        # It waits for the third answer in hand 1.
        process.send_signal(signal.SIGKILL)
    assert len(read_hands("there")) == 1
    answers = "c\n" * 9
    again = [*COMMAND, *arguments, "--hands", "1"]
    done = subprocess.run(again, input=answers, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    hands = read_hands("there")
    assert len(hands) == 2
    assert hands[1].history == "rc/cc/cc/cc"


# Advice


class Noter(Bot):
    """Notes what it is told."""

    learns = True

    def __init__(self) -> None:
        self.told: list[str] = []

    def explain(self, view: PlayerView) -> Decision:
        self.told.append(f"explain {view.history}")
        return Decision(CALL, "whatever")

    def on_hand(self, view):
        self.told.append(f"hand {view.hand_number}")

    def on_action(self, view, position, action):
        self.told.append(f"{position}{action}")

    def on_board(self, view):
        self.told.append(view.board)

    def on_showdown(self, view, shown):
        self.told.append(f"shown {sorted(shown)}")

    def on_result(self, view, payoffs):
        self.told.append(f"won {payoffs[view.position]}")


def test_an_advisor_is_told_everything_once(monkeypatch):
    spec = MatchSpec(limit_holdem(), ("always-call", "always-raise"), 3, 5)
    records = [played.record for played in played_hands(spec)]
    noter, plain = Noter(), Noter()
    monkeypatch.setattr("railbird.play.advisor.make_bot", lambda name: noter)
    advisor = Advisor(spec.game, "noter")
    me = "always-call"

    def view_at(record, decisions: int) -> PlayerView:
        place = record.names.index(me)
        own = [node for node, _ in record.steps() if node.to_act == place][decisions]
        return PlayerView(own, place, record.holes[place], record.board_on(own.street), record.number, record.names)

    # Asked twice in hand 1, and once in hand 2; hand 0 was before.
    for hand, decision in ((1, 0), (1, 2), (2, 1)):
        found = advisor.advise(view_at(records[hand], decision), records[:hand])
        assert (found.bot, found.verb.split()[0]) in (("noter", "call"), ("noter", "check"))
    told = [words for words in noter.told if not words.startswith("explain")]
    watcher = HandPlayer(spec.game, [plain, Bot()], spec.names)
    for record in records:
        watcher.remember(record, spec.seating.order(0, record.number))
    assert told == plain.told[: len(told)]
    assert told.count("hand 1") == 1
    assert told[-1] != plain.told[-1]  # hand 2 is not over


def test_advice_on_a_pipe(sit):
    _, out, _ = sit("?\nq\n", "always-call", "--seed", "3", "--advisor", "always-raise")
    assert "always-raise: raise" in out
    assert out.count("your turn") == 2


def test_the_advisor_is_the_best_that_plays_the_game():
    six = Advisor(limit_holdem(6))
    assert six.advise(view_of(limit_holdem(6)), ()).bot == "loki"
    with pytest.raises(UnknownBotError, match="no bot that advises plays kuhn; choose one with --advisor"):
        Advisor(kuhn_poker()).advise(view_of(kuhn_poker(), hole=(44,)), ())


# The report


def test_the_report_names_the_best_and_the_worst_decision(sit):
    _, out, _ = sit("f\nr\nr\nc\n" * 12, "always-raise", "--seed", "3", "--hands", "6", "--out", "there")
    assert re.search(r"money +[+-]\d\.\d{3} ± \d+\.\d{3} sb/hand for you \(95%\), [+-]\d+ chips in all", out)
    pair = assess("there", progress=False).pairs[0]
    you = pair.first == "you"
    assert f" {rate(Estimate.of(pair.divat if you else -pair.divat))}, skill without the luck" in out
    gains = pair.by_street if you else -pair.by_street
    for word, least in (("worst", -9.0), ("best", 0.0)):
        gain, hand = re.search(rf"{word} decision +([+-]\d\.\d\d) sb, hand (\d): \w+", out).groups()
        row = gains[list(pair.hands.numbers).index(int(hand))]
        assert least < float(gain) < least + 9
        assert any(abs(float(gain) - street) < 0.006 for street in row)


class Script:
    """A screen that answers always the same, and fails when it is told to."""

    hurry = False

    def __init__(self, action=CALL, fails_at: int = -1) -> None:
        self.action, self.fails_at = action, fails_at
        self.ends = []

    def show(self, sight) -> None:
        if sight.view.hand_number == self.fails_at:
            raise OSError("no more ink")

    def ask(self, sight):
        return self.action

    def end_hand(self, sight, won_chips, hands, faults) -> None:
        self.ends.append((hands, won_chips, sight.payoffs[sight.view.position]))

    def rest(self) -> None:
        pass


def sitting_at(path: Path, bot: str = "always-call") -> Sitting:
    person = Person("you")
    return Sitting(MatchFolder.create(path, table_spec(path, [bot], person, "limit", 1, 3)), person)


def test_a_sitting_in_python(tmp_path):
    sitting, screen = sitting_at(tmp_path / "table"), Script()
    sitting.play(screen, hands=3)
    assert [hands for hands, _, _ in screen.ends] == [1, 2, 3]
    assert [won for _, won, _ in screen.ends] == np.cumsum([won for _, _, won in screen.ends]).tolist()
    report = sitting_report(sitting)
    data = report.to_json()
    assert (data["schema"], data["name"], data["hands"], data["hands_now"]) == ("railbird.sitting/1", "you", 3, 3)
    assert data["money"]["mean"] == screen.ends[-1][1] / 6
    assert data["divat"]["samples"] == 3
    assert [row["gain"] for row in report.rows()] == sorted(row["gain"] for row in report.rows())
    assert str(report).startswith("you vs always-call | limit heads-up | 3 hands")
    again = sitting_at(tmp_path / "table")
    assert (again.hands, again.won_chips) == (3, screen.ends[-1][1])
    assert sitting_report(again, with_divat=False).divat is None


def test_a_screen_that_fails_is_no_fault_of_the_player(tmp_path):
    sitting = sitting_at(tmp_path / "table")
    with pytest.raises(OSError, match="no more ink"):
        sitting.play(Script(fails_at=2), hands=5)
    assert sitting.hands == 2
    assert not sitting_report(sitting, with_divat=False).match.faults


def test_departures_are_the_leaks_one_by_one(sit):
    sit("f\nr\nr\nc\n" * 12, "always-raise", "--seed", "3", "--hands", "12", "--out", "there")
    [pair] = assess("there", progress=False).pairs
    for player, name in enumerate((pair.first, pair.second)):
        found = departures(pair, name)
        assert found == sorted(found, key=lambda each: each.gain)
        known = leaks(pair, player)
        assert len(found) == sum(leak.occasions for leak in known)
        assert sum(each.gain for each in found) == pytest.approx(sum(leak.per_hand.mean for leak in known) * len(pair))


def test_a_person_has_a_name_for_logs():
    for name in ("a:b", "a|b", "", "x" * 21, "a.py", "-a"):
        with pytest.raises(MatchError, match="cannot be your name"):
            Person(name)
    assert Person("Zoë_2").name == "Zoë_2"


def test_against_a_known_player_aivat_says_how_many_hands_a_verdict_takes(tmp_path):
    sitting = sitting_at(tmp_path / "table", "equilibrium")
    sitting.play(Script(), hands=3)
    report = sitting_report(sitting)
    assert report.aivat is None
    assert "from 30 hands on: against equilibrium, whose play is known" in " ".join(str(report).split())
    sitting.play(Script(), hands=40)
    report = sitting_report(sitting)
    assert report.aivat.count == 43
    assert report.aivat.sd < report.money.sd / 2
    assert report.to_json()["aivat"]["mean"] == report.aivat.mean
    text = " ".join(str(report).split())
    assert "with less luck still" in text
    assert "a difference of 0.05 sb/hand takes about" in text
