"""Secret matches: nobody can know the cards before the end, everybody can check them after it."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from railbird.cli import main
from railbird.errors import MatchError, RailbirdError
from railbird.game.spec import kuhn_poker, limit_holdem
from railbird.play.blocks import play_blocks
from railbird.play.comparison_folder import read_comparison
from railbird.play.dealing import deals, deck_seeds
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_logs import read_hands
from railbird.play.matches import compare_bots, play_match, play_tournament
from railbird.play.run import run_matches
from railbird.play.secret_keys import keys_folder
from railbird.play.tournament import read_tournament
from railbird.play.verified import verify_deals
from railbird.randomness import SecretSeed, derived_seed

KEY = bytes(range(16))
SEED = SecretSeed.of(KEY)


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("RAILBIRD_STATE", str(tmp_path / "state"))


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text())


def begun(folder, *bots, hands=600, played=250):
    """A secret match of which some hands are played, as after a kill."""
    spec = MatchSpec(limit_holdem(), bots or ("expert", "random"), hands, SecretSeed())
    match = MatchFolder.create(folder, spec)
    log = match.log(0)
    log.open()
    for block in play_blocks(match.spec, 0, 0, played):
        log.append(block.text, block.won)
    return match


def test_deals_follow_from_the_key_and_the_number_whatever_is_dealt_at_once():
    whole = list(deals(limit_holdem(), SEED, 0, 1000))
    assert len({deal.board for deal in whole}) > 990
    for first, count in ((0, 1), (255, 2), (256, 256), (300, 700), (999, 1)):
        assert list(deals(limit_holdem(), SEED, first, count)) == whole[first : first + count]
    assert list(deals(limit_holdem(), SecretSeed.of(bytes(16)), 0, 5)) != whole[:5]
    assert [deal.holes for deal in deals(kuhn_poker(), SEED, 3, 2)] == [
        deal.holes for deal in list(deals(kuhn_poker(), SEED, 0, 5))[3:]
    ]


def test_every_hand_has_a_seed_of_its_own():
    # shake_256 of the key and the number of a group of 256 hands, eight bytes a hand.
    words = f"railbird deck key {KEY.hex()} 1".encode()
    assert deck_seeds(SEED, 256, 3).tobytes() == hashlib.shake_256(words).digest(24)
    assert len(set(deck_seeds(SEED, 0, 5000).tolist())) == 5000
    assert derived_seed(SEED, "bot 0 0") != derived_seed(SEED, "bot 0 1")


def test_compiled_hands_are_those_of_decision_by_decision():
    spec = MatchSpec(limit_holdem(), ("random", "always-call"), 700, SEED)
    compiled = b"".join(block.text for block in play_blocks(spec, 0, 0, 700))
    parts = b"".join(
        block.text
        for first in (0, 123, 400)
        for block in play_blocks(spec, 0, first, {0: 123, 123: 400}.get(first, 700))
    )
    assert compiled == parts
    holes = [line.split(b":")[3].split(b"/")[0].decode() for line in compiled.splitlines()]
    assert holes == ["|".join(_text(hole) for hole in deal.holes) for deal in deals(limit_holdem(), SEED, 0, 700)]


def _text(hole):
    return "".join("23456789TJQKA"[card // 4] + "cdhs"[card % 4] for card in hole)


def test_the_key_stands_in_no_text_before_it_is_published():
    for text in (
        repr(SEED),
        str(SEED),
        json.dumps(SEED.to_json()),
        repr(MatchSpec(limit_holdem(), ("random",) * 2, 9, SEED)),
    ):
        assert KEY.hex() not in text
        assert repr(KEY) not in text
    assert SEED.published().to_json() == {"commitment": hashlib.sha256(KEY).hexdigest(), "key": KEY.hex()}
    assert pickle.loads(pickle.dumps(SEED)).key == KEY  # workers deal too


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        (5, "not a SHA-256"),
        ([], "not a SHA-256"),
        ({"commitment": "00"}, "not a SHA-256"),
        ({"commitment": None}, "not a SHA-256"),
        ({"commitment": SEED.commitment, "key": "00"}, "not a key of 32"),
        ({"commitment": SEED.commitment, "key": 17}, "not a key of 32"),
        ({"commitment": SEED.commitment, "key": "00" * 16}, "as was promised"),
    ],
)
def test_a_key_that_is_not_the_promised_one_is_refused(told, wrong):
    with pytest.raises(RailbirdError, match=wrong):
        SecretSeed.from_json(told)


def test_while_it_is_played_the_key_is_outside_the_folder_and_the_users_alone(tmp_path):
    match = begun(tmp_path / "m")
    key = match.spec.seed.key
    [file] = keys_folder().iterdir()
    assert file.read_bytes() == key
    assert file.name == hashlib.sha256(key).hexdigest() == manifest(tmp_path / "m")["secret"]["commitment"]
    assert manifest(tmp_path / "m")["seed"] is None
    for each in (tmp_path / "m").iterdir():
        assert key not in each.read_bytes()
        assert key.hex().encode() not in each.read_bytes()
    assert file.name in (tmp_path / "m" / "hands.log").read_text().splitlines()[0].split(" ")[-1]
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
        assert keys_folder().stat().st_mode & 0o777 == 0o700
    assert "| secret" in str(MatchFolder.open(tmp_path / "m").result())
    with pytest.raises(MatchError, match="told when it is over"):
        verify_deals(tmp_path / "m")


def test_a_match_goes_on_with_its_key_and_tells_it_at_the_end(tmp_path):
    key = begun(tmp_path / "m").spec.seed.key
    result = play_match("expert", "random", hands=600, secret=True, folder=tmp_path / "m")
    assert manifest(tmp_path / "m")["secret"]["key"] == key.hex()
    assert not list(keys_folder().iterdir())
    assert f"secret key {key.hex()}" in str(result)
    assert result.to_json()["match"]["secret"]["key"] == key.hex()
    # The same hands as in a match that nobody broke off.
    again = MatchFolder.create(
        tmp_path / "again", MatchSpec(limit_holdem(), ("expert", "random"), 600, SecretSeed.of(key))
    )
    run_matches([again], 1)
    assert (tmp_path / "again" / "hands.log").read_bytes() == (tmp_path / "m" / "hands.log").read_bytes()
    # Who reads competition logs reads these too.
    alone = tmp_path / "alone.log"
    alone.write_bytes((tmp_path / "m" / "hands.log").read_bytes())
    assert len(read_hands(alone)) == 600
    verified = verify_deals(tmp_path / "m")
    assert verified.is_right
    assert "all 600 hands as dealt from secret key" in str(verified)


def test_a_match_that_was_killed_goes_on_with_the_same_cards(tmp_path):
    command = [
        sys.executable,
        "-m",
        "railbird",
        "match",
        "expert",
        "random",
        "--hands",
        "20000",
        "--secret",
        "--out",
        "m",
    ]
    command += ["--no-divat", "--workers", "1"]
    log = tmp_path / "m" / "hands.log"
    running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
    while not (log.exists() and log.stat().st_size > 20_000):
        assert running.poll() is None
        time.sleep(0.01)
    assert not [each for each in keys_folder().iterdir() if each.read_bytes().hex() in " ".join(command)]
    running.send_signal(signal.SIGKILL)
    running.wait()
    before = log.read_bytes()
    subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    whole = before[: before.rindex(b"\n") + 1]
    assert log.read_bytes().startswith(whole)
    assert verify_deals(tmp_path / "m").is_right


def test_more_hands_keep_the_secret_until_the_new_end_and_are_refused_after_it(tmp_path):
    begun(tmp_path / "m", hands=300)
    play_match("expert", "random", hands=250, secret=True, folder=tmp_path / "m")
    assert "key" not in manifest(tmp_path / "m")["secret"]
    play_match("expert", "random", hands=500, secret=True, folder=tmp_path / "m")
    assert manifest(tmp_path / "m")["secret"]["key"]
    with pytest.raises(MatchError, match="is over and its key published"):
        play_match("expert", "random", hands=501, secret=True, folder=tmp_path / "m")
    assert manifest(tmp_path / "m")["hands"] == 500
    assert play_match("expert", "random", hands=500, secret=True, folder=tmp_path / "m").won.shape[1] == 500


def test_secret_and_ordinary_matches_are_told_apart(tmp_path):
    play_match("expert", "random", hands=50, folder=tmp_path / "seed")
    play_match("expert", "random", hands=50, secret=True, folder=tmp_path / "secret")
    with pytest.raises(MatchError, match=re.escape("seed 0 (now secret)")):
        play_match("expert", "random", hands=50, secret=True, folder=tmp_path / "seed")
    with pytest.raises(MatchError, match=r"seed sha256:.* \(now 7\)"):
        play_match("expert", "random", hands=50, seed=7, folder=tmp_path / "secret")
    with pytest.raises(MatchError, match="leave out one"):
        play_match("expert", "random", hands=50, seed=0, secret=True)
    assert not list(keys_folder().iterdir())


def test_without_its_key_a_match_cannot_go_on_and_says_where_it_should_be(tmp_path):
    begun(tmp_path / "m")
    [file] = keys_folder().iterdir()
    file.write_bytes(b"another key ....")
    with pytest.raises(MatchError, match="is damaged"):
        play_match("expert", "random", hands=600, secret=True, folder=tmp_path / "m")
    file.unlink()
    with pytest.raises(MatchError, match="goes on only where it was begun"):
        play_match("expert", "random", hands=600, secret=True, folder=tmp_path / "m")
    assert MatchFolder.open(tmp_path / "m").result().won.shape[1] == 250


def test_a_tournament_has_one_key_and_tells_it_when_all_its_matches_are_over(tmp_path):
    folder = tmp_path / "t"
    play_tournament("always-call", "always-raise", "random", hands=40, secret=True, folder=folder)
    keys = {manifest(each)["secret"]["key"] for each in folder.glob("*-*")}
    assert len(keys) == 1
    assert f"secret key {keys.pop()}" in str(read_tournament(folder))
    assert verify_deals(folder).is_right
    assert [match.hands for match in verify_deals(folder).matches] == [80, 80, 80]


def test_a_broken_off_tournament_keeps_its_key_for_itself(tmp_path, monkeypatch):
    folder, whole = tmp_path / "t", MatchFolder.log

    def broken(match, leg):
        if match.path.name == "02-03":
            raise MatchError("the lights went out")
        return whole(match, leg)

    monkeypatch.setattr(MatchFolder, "log", broken)
    with pytest.raises(MatchError, match="lights"):
        play_tournament("always-call", "always-raise", "random", hands=40, secret=True, folder=folder)
    monkeypatch.undo()
    monkeypatch.setenv("RAILBIRD_STATE", str(tmp_path / "state"))
    [file] = keys_folder().iterdir()
    assert all("key" not in manifest(each)["secret"] for each in folder.glob("*-*"))
    key = file.read_bytes().hex()
    play_tournament("always-call", "always-raise", "random", hands=40, secret=True, folder=folder)
    assert {manifest(each)["secret"]["key"] for each in folder.glob("*-*")} == {key}


def test_a_comparison_has_one_key_and_no_more_is_dealt_from_it_when_it_is_told(tmp_path):
    bot = tmp_path / "mine.py"
    bot.write_text("from railbird import *\nclass Mine(Bot):\n    def act(self, view):\n        return CALL\n")
    asked = {"against": ["always-call"], "hands": 30, "secret": True, "folder": tmp_path / "c", "workers": 1}
    compare_bots(f"{bot}:Mine", "random", **asked)
    keys = {manifest(each)["secret"]["key"] for each in (tmp_path / "c").glob("*-v-*")}
    assert len(keys) == 1
    assert read_comparison(tmp_path / "c").to_json()["seed"] is None
    bot.write_text(bot.read_text() + "# edited\n")
    with pytest.raises(MatchError, match="key published, and a bot has changed"):
        compare_bots(f"{bot}:Mine", "random", **asked)
    compare_bots("always-raise", "random", **{**asked, "folder": tmp_path / "d"})
    with pytest.raises(MatchError, match="is over and its key published"):
        compare_bots("always-raise", "random", **{**asked, "hands": 31, "folder": tmp_path / "d"})


def test_an_edited_bot_begins_a_secret_match_anew_with_another_key(tmp_path):
    bot = tmp_path / "mine.py"
    bot.write_text("from railbird import *\nclass Mine(Bot):\n    def act(self, view):\n        return CALL\n")
    asked = {"hands": 30, "secret": True, "folder": tmp_path / "m", "workers": 1}
    play_match(f"{bot}:Mine", "random", **asked)
    first = manifest(tmp_path / "m")["secret"]
    bot.write_text(bot.read_text() + "# edited\n")
    with pytest.warns(UserWarning, match="a bot has changed"):
        play_match(f"{bot}:Mine", "random", **asked)
    assert manifest(tmp_path / "m")["secret"]["key"] != first["key"]


def test_hands_of_another_key_are_found(tmp_path):
    for name in "ab":
        play_match("always-call", "always-call", hands=20, secret=True, folder=tmp_path / name)
    told, claimed = (manifest(tmp_path / name)["secret"]["commitment"] for name in "ab")
    shutil.copy(tmp_path / "b" / "manifest.json", tmp_path / "a" / "manifest.json")
    log = tmp_path / "a" / "hands.log"
    log.write_text(log.read_text().replace(told, claimed))
    log.with_name("hands.log.index").unlink()
    found = verify_deals(tmp_path / "a")
    assert not found.is_right
    assert re.search(r"hand 0 has \w{4} where \w{4} was dealt", str(found))
    assert found.to_json()["matches"][0]["wrong"]
    other = tmp_path / "alone.log"
    other.write_text(log.read_text())
    with pytest.raises(MatchError, match="a log alone"):
        verify_deals(other)


READER = """
import os
from pathlib import Path
from railbird import CALL, Bot

FOLDERS = {folders!r}

class Reader(Bot):
    def act(self, view):
        for folder in FOLDERS:
            for place, _, files in os.walk(folder):
                for name in files:
                    try:
                        found = Path(place, name).read_bytes()
                    except OSError:
                        continue
                    raise ValueError(f"read {{name}}: {{found[:8]}}")
        return CALL
"""


def test_a_bot_can_read_neither_the_key_nor_other_matches_on_its_deals(tmp_path):
    (tmp_path / "bots").mkdir()
    bot = tmp_path / "bots" / "reader.py"
    asked = {"hands": 10, "secret": True, "workers": 1}
    bot.write_text(READER.format(folders=[str(keys_folder().parent), str(tmp_path / "t")]))
    table = play_tournament("always-call", f"{bot}:Reader", "always-raise", folder=tmp_path / "t", **asked)
    bot.write_text(READER.format(folders=[str(keys_folder().parent), str(tmp_path / "c")]))
    compared = compare_bots(f"{bot}:Reader", "random", ["always-call"], folder=tmp_path / "c", **asked)
    assert table.faults == compared.faults == ()
    # The same bot finds what is not forbidden.
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "note.txt").write_text("hello")
    bot.write_text(READER.format(folders=[str(tmp_path / "open")]))
    assert "read note.txt" in str(play_match(f"{bot}:Reader", "random", hands=2).faults[0])


def test_commands_say_how_to_check_the_cards(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    commands = {
        "matches/random-v-always-call-limit-secret": ["match", "random", "always-call"],
        "tournaments/random-always-call-limit-secret": ["tournament", "random", "always-call"],
        "comparisons/random-v-always-call-against-always-raise-limit-secret": [
            *("compare", "random", "always-call", "--against", "always-raise")
        ],
    }
    for folder, command in commands.items():
        assert run([*command, "--hands", "20", "--secret", "--no-divat"], capsys)[1] == 0
        said, code = run([*command, "--hands", "20", "--secret", "--no-divat"], capsys)  # shown again
        assert code == 0
        assert said.splitlines()[-1] == f"check the cards: railbird verify {folder}"
        said, code = run(["verify", folder], capsys)
        assert code == 0
        assert "which has the SHA-256 that was promised" in said
    assert run(["match", "random", "always-call", "--secret", "--seed", "7"], capsys)[1] == 2


def run(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return capsys.readouterr().out, ended.value.code
