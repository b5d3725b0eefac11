"""What leaves a table: nothing that a seat may not know. Tables are played here without a server, all traffic kept.

`RAILBIRD_LEAK_HANDS=5000 pytest tests/test_web_tables.py -k leaves` reads the traffic of so many hands.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import socket
import threading
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from railbird.bots.following import events_until
from railbird.bots.reasons import explain
from railbird.bots.registry import make_bot
from railbird.cards import card_text, parse_cards
from railbird.cli import main
from railbird.errors import MatchError
from railbird.game.spec import limit_holdem
from railbird.play.dealing import deals
from railbird.play.folder import MatchFolder
from railbird.play.hands import played_hands
from railbird.play.match import MatchSpec
from railbird.play.match_logs import read_hands
from railbird.play.open_minds import OpenMind
from railbird.play.promises import PROMISES, Promise, read_promises
from railbird.play.told_reasons import decision_of, reasons_of
from railbird.play.verified import verify_deals
from railbird.report.pages import card_name
from railbird.web.insights import Thought, insight_for, insight_of, line_words
from railbird.web.people import people_at
from railbird.web.playing import _shown
from railbird.web.table_files import TABLE, TableFile, hashed
from railbird.web.table_threads import House, PlayedTable, close_table, make_table

HANDS = int(os.environ.get("RAILBIRD_LEAK_HANDS", "30"))
NAMED = {card_name(card): card for card in range(52)}
CARD_NAME = re.compile(r"(?:[2-9]|10|ten|jack|queen|king|ace) of (?:clubs|diamonds|hearts|spades)")
CARD_TEXT = re.compile(r"\b[2-9TJQKA][cdhs]\b")
STATE = SimpleNamespace(serving=SimpleNamespace(is_public=False))
PAGE = SimpleNamespace(url=SimpleNamespace(path="/play/x"), scope={}, app=SimpleNamespace(state=STATE))
TABLES = [
    (["ann"], ["loki"], "limit"),
    (["ann", "bob"], [], "no-limit"),
    (["ann", "bob", "cleo"], ["loki", "expert"], "limit"),
]


@pytest.fixture(autouse=True)
def _own_keys(tmp_path, monkeypatch):
    monkeypatch.setenv("RAILBIRD_STATE", str(tmp_path / "state"))


def new_table(folder: Path, people: list[str], bots: list[str], game: str = "limit", **agreed) -> TableFile:
    seats = [
        {"seat": seat, "name": name, "link": hashed(name), "user": hashed(f"user {name}")}
        for seat, name in enumerate(people)
    ]
    told = {"id": "x", "folder": str(folder), "bots": bots, "game": game, "people": seats}
    make_table(told | {"study": False, "reveal": False, "seconds": 60} | agreed)
    return TableFile.read(folder)


class Traffic:
    """Plays a table to so many hands with choices by chance, and keeps all that is sent."""

    def __init__(self, table: TableFile, hands: int, seed: int = 0, looks: bool = True) -> None:
        self.sent: list[dict] = []
        self.random, self.hands = Random(seed), hands
        self.done = threading.Event()
        self.table = PlayedTable(table, self.take)
        for place in range(len(table.people)):
            self.table.take(place, {"do": "here", "on": True})
            self.table.take(place, {"do": "look", "on": looks})
        self.table.start()
        self.table.join(600)
        assert not self.table.is_alive()

    def take(self, message: dict) -> None:
        self.sent.append(message)
        picture = message.get("picture", {})
        if picture.get("hand", 0) >= self.hands:
            self.table.is_stopping = True
        if "ask" in picture:
            words = self.random.choice(picture["choices"])[0]
            if words == "r" and picture["amounts"]:
                words = f"r {self.random.choice(list(picture['amounts']['named'].values()))}"
            self.table.take(message["place"], {"do": "act", "ask": picture["ask"], "words": words})
        elif picture.get("is_over"):
            self.table.take(message["place"], {"do": "next", "hand": picture["hand"]})


def cards_in(message: dict) -> set[int]:
    """All cards that can be read from a message as it goes to a browser."""
    text = json.dumps(_shown(PAGE, {key: value for key, value in message.items() if key != "place"}))
    named = {NAMED[found.replace("10 of", "ten of")] for found in CARD_NAME.findall(text)}
    return named | {parse_cards(found)[0] for found in CARD_TEXT.findall(text)} | numbers_in(message)


def numbers_in(message: dict) -> set[int]:
    """The cards that a picture has as numbers, before it becomes a page."""
    picture = message.get("picture", {})
    seats = [card for seat in picture.get("seats", ()) for card in seat["cards"]]
    return {*seats, *picture.get("board", ())}


@pytest.mark.parametrize(("people", "bots", "game"), TABLES)
def test_what_a_seat_may_not_know_never_leaves_the_table(tmp_path, people, bots, game):
    folder = tmp_path / "t"
    traffic = Traffic(new_table(folder, people, bots, game), HANDS)
    assert {message["place"] for message in traffic.sent if "place" in message} == set(range(len(people)))
    assert read_all(traffic, folder, people) >= HANDS


def test_a_card_too_many_is_noticed(tmp_path):
    """At a table that shows all cards after each hand, those of hands that were folded."""
    traffic = Traffic(new_table(tmp_path / "t", ["ann"], ["always-raise"], reveal=True), 10)
    with pytest.raises(AssertionError):
        read_all(traffic, tmp_path / "t", ["ann"])


def read_all(traffic: Traffic, folder: Path, people: list[str]) -> int:
    """Hold all that was sent against what each seat may know; how many hands there were."""
    records = {record.number: record for record in read_hands(folder)}
    promised = {line.hand: Promise(line.hand, line.nonce, line.cards) for line in read_promises(folder) if line.nonce}
    over: set[tuple[int, int]] = set()
    for message in traffic.sent:
        if "picture" not in message:
            for seen in message.get("insights", ()):
                assert (message["place"], seen["hand"]) in over
            continue
        picture, me = message["picture"], people[message["place"]]
        record = records.get(picture["hand"])
        if record is None:
            continue
        position, final = record.names.index(me), record.final()
        allowed = {*record.holes[position], *record.board[: len(picture["board"])]}
        street = max(street for street in range(4) if record.game.board_seen(street) <= len(picture["board"]))
        assert len(picture["board"]) in (0, 3, 4, 5)
        assert street <= final.street
        if picture["is_over"]:
            over.add((message["place"], picture["hand"]))
            allowed |= {card for live in final.live for card in record.holes[live]} if final.is_showdown else set()
        assert cards_in(message) <= allowed, (picture["hand"], me)
        text = json.dumps(message)
        promise = promised[picture["hand"]]
        known = allowed if picture["is_over"] else set()
        hidden = [salt.hex() for card, salt in zip(promise.cards, promise.salts) if card not in known]
        assert not any(salt in text for salt in [*hidden, promise.nonce.hex()])
    return len(records)


def test_every_promise_can_be_checked_by_who_saw_it(tmp_path):
    traffic = Traffic(new_table(tmp_path / "t", ["ann", "bob"], ["always-call"]), 6)
    before: dict[tuple[int, int], str] = {}
    checked = 0
    for message in (each for each in traffic.sent if "hand" in each.get("picture", {})):
        picture = message["picture"]
        key = message["place"], picture["hand"]
        if "opened" not in picture:
            assert before.setdefault(key, picture["promise"]) == picture["promise"]
            continue
        seals = [
            bytes.fromhex(one["seal"])
            if "seal" in one
            else sha256(bytes.fromhex(one["salt"]) + one["card"].encode()).digest()
            for one in picture["opened"]
        ]
        assert sha256(b"".join(seals)).hexdigest() == before[key]
        own = {card_text(card) for card in picture["seats"][0]["cards"]}
        assert own <= {one.get("card") for one in picture["opened"]}
        checked += 1
    assert checked >= 12


def test_verify_checks_promises_and_finds_what_was_changed(tmp_path, capsys):
    folder = tmp_path / "t"
    Traffic(new_table(folder, ["ann"], ["always-call"]), 4)
    found = verify_deals(folder)
    assert found.is_right
    assert found.to_json()["matches"][0]["promised"] == 4
    assert "all 4 hands as promised before each of them; the key, SHA-256" in str(found)
    file, good = folder / PROMISES, (folder / PROMISES).read_text()
    lines = good.splitlines()
    told = json.loads(lines[3])
    assert "nonce" in told
    others = told["cards"][2:4] + told["cards"][:2] + told["cards"][4:]
    spoilt = {
        "another card": [
            *lines[:3],
            json.dumps(told | {"cards": others}),
            *lines[4:],
        ],
        "another nonce": [*lines[:3], json.dumps(told | {"nonce": "00" * 32}), *lines[4:]],
        "no promise": [*lines[:2], *lines[3:]],
        "another promise": [*lines[:2], json.dumps({"hand": 1, "promise": "00" * 32}), *lines[3:]],
        "not told": [*lines[:3], *lines[4:]],
    }
    for what, changed in spoilt.items():
        file.write_text("\n".join(changed) + "\n")
        assert verify_deals(folder).matches[0].wrong.startswith("hand 1 "), what
    with pytest.raises(SystemExit) as end:
        main(["verify", str(folder)])
    assert end.value.code == 1
    assert "hand 1 was not told after it was over" in capsys.readouterr().out
    # A swap that is promised after all: promise and nonce fit, but the log has other cards.
    other = Promise(
        1, bytes.fromhex(told["nonce"]), parse_cards(told["cards"][2:4] + told["cards"][:2] + told["cards"][4:])
    )
    swapped = json.dumps({"hand": 1, "promise": other.digest})
    opened = json.dumps(
        {"hand": 1, "promise": other.digest, "nonce": told["nonce"], "cards": "".join(map(card_text, other.cards))}
    )
    file.write_text("\n".join([*lines[:2], swapped, opened, *lines[4:]]) + "\n")
    assert "was promised" in verify_deals(folder).matches[0].wrong
    file.write_text(good)
    close_table(folder)
    found = verify_deals(folder)
    assert found.is_right
    assert "as dealt from secret key" in str(found)
    assert TableFile.read(folder).closed
    assert not list((tmp_path / "state" / "secret-keys").iterdir())


def test_a_torn_promise_is_made_again_and_a_lost_opening_is_told(tmp_path):
    folder = tmp_path / "t"
    table = new_table(folder, ["ann"], ["always-call"])
    Traffic(table, 2)
    file = folder / PROMISES
    lines = file.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if not (b'"hand": 1' in line and b"nonce" in line)]
    file.write_bytes(b"".join(kept) + b'{"hand": 2, "pro')
    Traffic(table, 3, seed=1)
    assert verify_deals(folder).matches[0].promised == 3
    assert verify_deals(folder).is_right


def test_a_table_goes_on_where_it_was_left(tmp_path):
    folder = tmp_path / "t"
    table = new_table(folder, ["ann"], ["loki"])
    first = Traffic(table, 3)
    again = Traffic(table, 5, seed=1)
    hands = [m["picture"]["hand"] for m in again.sent if "hand" in m.get("picture", {})]
    assert min(hands) == 3
    assert [record.number for record in read_hands(folder)] == list(range(5))
    assert not verify_deals(folder).matches[0].wrong
    deal = next(m["picture"] for m in first.sent if m.get("picture", {}).get("hand") == 3)
    assert (
        next(m["picture"]["seats"][0]["cards"] for m in again.sent if "hand" in m.get("picture", {}))
        == deal["seats"][0]["cards"]
    )


def test_reasons_are_seen_while_a_hand_is_played_in_study_mode_only(tmp_path):
    for study in (True, False):
        folder = tmp_path / f"study {study}"
        traffic = Traffic(new_table(folder, ["ann"], ["loki"], study=study), 8)
        assert json.loads((folder / TABLE).read_text())["study"] is study
        is_over = [False]
        live = 0
        for message in traffic.sent:
            if "hand" in message.get("picture", {}):
                is_over.append(message["picture"]["is_over"])
            elif message.get("insights"):
                live += not is_over[-1]
        assert (live > 0) is study


@pytest.mark.parametrize("bot", ["loki", "yoki", "vexbot", "equilibrium", "random"])
def test_a_bot_plays_the_same_hands_when_somebody_listens(bot):
    heard = []
    spec = MatchSpec(limit_holdem(), ("always-call", bot), 12, 3)
    listened = MatchSpec(limit_holdem(), ("always-call", OpenMind(bot, lambda *told: heard.append(told))), 12, 3)
    assert [hand.record for hand in played_hands(spec)] == [hand.record for hand in played_hands(listened)]
    assert spec.to_json() == listened.to_json()
    assert heard
    assert all(decision.action in view.legal_actions for view, decision in heard)


def test_a_link_seats_the_first_who_comes_with_it(tmp_path):
    table = new_table(tmp_path / "t", ["ann", "bob"], [])
    free = TableFile(table.id, table.folder, (table.people[0], type(table.people[1])(1, "bob", hashed("link"))))
    taken = free.with_user("link", "user new").write()
    assert taken.place_of("user new") == 1
    assert taken.with_user("link", "user new") == taken
    for link, user, why in (
        ("link", "another", "somebody sits there"),
        ("no", "another", "leads to no seat"),
        ("link", "user ann", "somebody sits"),
    ):
        with pytest.raises(MatchError, match=why):
            taken.with_user(link, user)
    with pytest.raises(MatchError, match="you sit at this table already"):
        free.with_user("link", "user ann")
    assert hashed("user new") in people_at(table.folder)
    assert hashed("another") not in people_at(table.folder)
    assert "user new" not in (table.folder / TABLE).read_text()


def test_deals_of_a_table_are_those_of_its_key(tmp_path):
    folder = tmp_path / "t"
    Traffic(new_table(folder, ["ann"], ["always-call"]), 3)
    close_table(folder)
    spec = MatchFolder.open(folder).spec
    assert spec.seed.is_published
    for record, deal in zip(read_hands(folder), deals(spec.game, spec.seed, 0, 3)):
        assert tuple(map(tuple, record.holes)) == deal.holes


@pytest.mark.parametrize(
    "bot", ["expert", "simulation", "yoki", "vexbot", "vexbot2", "equilibrium", "sparbot", "jagbot", "divat-baseline"]
)
def test_every_kind_of_bot_plays_and_says_why(tmp_path, bot):
    traffic = Traffic(new_table(tmp_path / "t", ["ann"], [bot]), 3)
    ends = [message["picture"] for message in traffic.sent if message.get("picture", {}).get("is_over")]
    assert len(ends) >= 3
    assert not any(end["remark"] for end in ends)
    told = [message for message in traffic.sent if message.get("insights")]
    assert told
    assert all(seen["bot"] == bot and seen["reason"] for message in told for seen in message["insights"])


@pytest.mark.parametrize("bot", ["loki", "yoki"])
def test_a_bot_among_several_shows_each_what_it_thinks_of_him(bot):
    found = explain("AdQc", history="r", seats=3, bot=bot)
    seen = insight_of(found.view, found.decision)
    [raised, waits, other] = [insight_for(seen, name) for name in ("seat 3", "seat 2", "somebody")]
    assert [each["of_whom"] for each in (raised, waits, other)] == ["seat 3", "seat 2", "its opponents"]
    assert raised["heat"] != waits["heat"] != other["heat"]
    assert "of_each" not in {**raised, **waits, **other}
    alone = explain("AdQc", history="r", bot=bot)
    assert insight_for(insight_of(alone.view, alone.decision), "seat 2")["of_whom"] == "seat 2"


def test_how_it_may_go_on_is_told_in_words():
    found = explain("AdQc", "3h4cJh", history="rc/", bot="vexbot")
    seen = insight_of(found.view, found.decision)
    assert [each["words"].split(",")[0] for each in seen["histograms"]] == ["after check", "after bet"]
    assert all(each["words"].endswith(", call: hands expected to be shown") for each in seen["histograms"])
    assert {word for line, _, _ in seen["lines"] for word in line.split(", ")} <= {
        "check",
        "bet",
        "raise",
        "call",
        "fold",
    }
    lines = ("crc", "crrc", "crf", "r300", "fff", "a word", "")
    assert [line_words(found.view, line) for line in lines] == [
        "check, bet, call",
        "check, bet, raise, call",
        "check, bet, fold",
        "r300",
        "fff",
        "a word",
        "",
    ]


def test_a_full_colour_is_explained():
    seen = explain("AdQc", "3h4cJh", bot="loki")
    assert insight_of(seen.view, seen.decision)["full"] == "would surely have been played like this"


def test_a_thought_is_that_of_its_moment_however_late_somebody_looks():
    found = explain("AdQc", "3h4cJh", seats=3, bot="loki")
    then = insight_of(found.view, found.decision)
    thought = Thought(found.view, found.decision)
    for weights in (found.decision.weights.array, *found.decision.weights.by_position.values()):
        weights.flags.writeable = True
        weights[:] = 0.5
    assert insight_of(found.view, found.decision) != then
    assert thought.insight == then


def test_what_cannot_be_shown_of_a_thought_is_not_shown():
    found = explain("AdQc", "3h4cJh", bot="loki")
    assert Thought(found.view, replace(found.decision, quantities={"HS": "much"})).insight is None


def test_a_table_that_has_ended_is_let_go(tmp_path):
    new_table(tmp_path / "t", ["ann"], ["always-call"])
    ours, theirs = socket.socketpair()
    house = House(theirs)
    threading.Thread(target=house.live, daemon=True).start()
    line = ours.makefile("rw")

    def say(**message):
        line.write(json.dumps(message) + "\n")
        line.flush()

    for _ in range(2):
        say(to="open", table="x", folder=str(tmp_path / "t"))
        say(to="seat", table="x", place=0, message={"do": "here", "on": True})
        while "ask" not in json.loads(line.readline()).get("picture", {}):
            pass
        assert list(house._tables) == ["x"]
        say(to="seat", table="x", place=0, message={"do": "leave"})
        while "ended" not in line.readline():
            pass
        assert not house._tables
    ours.shutdown(socket.SHUT_RDWR)


# What a user's bot says of itself

TALKER = """
from railbird import Bot
from railbird.bots.decision import Decision, Note
from railbird.game.actions import CALL


class Talker(Bot):
    def explain(self, view):
        known = {"luck": 0.25}
        return Decision(CALL, "feeling", "it feels like <b>calling</b>", known, {"luck": Note("all of it", FORM)})


class Silent(Bot):
    def act(self, view):
        return CALL
"""


@pytest.mark.parametrize(
    ("form", "kind", "is_heard"), [(".1%", "Talker", True), (".999999999f", "Talker", False), ("", "Silent", False)]
)
def test_a_bot_of_ones_own_is_asked_why_in_its_box(tmp_path, form, kind, is_heard):
    file = tmp_path / "talker.py"
    file.write_text(TALKER.replace("FORM", repr(form)))
    traffic = Traffic(new_table(tmp_path / "t", ["ann"], [f"{file}:{kind}"], study=True), 2)
    assert not any(m["picture"]["remark"] for m in traffic.sent if m.get("picture", {}).get("is_over"))
    heard = [m for m in traffic.sent if m.get("insights")]
    assert bool(heard) is is_heard
    if is_heard:
        [seen, *_] = heard[-1]["insights"]
        assert (seen["rule"], seen["quantities"]) == ("feeling", [["luck", "25.0%", "all of it"]])
        [page] = _shown(PAGE, {"insights": [seen]})["insights"]
        assert "it feels like &lt;b&gt;calling&lt;/b&gt;" in page


@pytest.mark.parametrize("bot", ["loki", "vexbot", "vexbot2", "yoki"])
def test_reasons_that_are_told_are_those_that_were_given(bot):
    view = explain("AdQc", "3h4cJh", bot=bot).view
    player = make_bot(bot)
    for event in events_until(view):
        event.tell(player)
    told = reasons_of(player, pickle.dumps(view.game), (7,), (view.history, *view[1:]))
    player.seed_hand(7)
    given = player.explain(view)
    again = decision_of(told, given.action)
    assert json.dumps(again.to_json()) == json.dumps(given.to_json())
    assert again.shown() == given.shown()
    assert insight_of(view, again) == insight_of(view, given)


@pytest.mark.parametrize("key", ["quantities", "notes", "steps", "weights", "rule"])
def test_reasons_that_are_none_are_refused(key):
    found = explain("AdQc", "3h4cJh", bot="loki")
    told = {**found.decision.to_json(), "notes": {}, "weights": [], "full": ""}
    decision_of(json.dumps(told), found.decision.action)
    for wrong in (None, 3, [3], {"x": "y"}, "x" * 20_000):
        with pytest.raises(ValueError, match=r"."):
            decision_of(json.dumps(told | {key: wrong}), found.decision.action)
