"""MIVAT: unbiased whatever its coefficients, learned from other matches, and worth more than DIVAT."""

from __future__ import annotations

import json

import numpy as np
import pytest

import railbird as rb
from railbird.assess.aivat import Aivat
from railbird.assess.divat import assess
from railbird.assess.mivat import TERMS, Mivat, cross_fitted, digest, fitted, luck_terms, shipped_mivat, weighing
from railbird.assess.mivat_training import MivatTraining
from railbird.assess.summary import MEASURES, assess_pairs
from railbird.cli import main
from railbird.errors import AssessmentError
from railbird.formats.hand_logs import LogSource, read_logs
from railbird.game.spec import limit_holdem
from railbird.play.match_logs import read_hand_arrays
from railbird.play.mivat_matches import DEALS, SEED, TRAINING, played_lessons, train_mivat
from test_aivat import KUHN, LEDUC, expectation, player, won


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("mivat") / "m"
    rb.play_match("sparbot", "always-call", hands=300, seed=5, duplicate=True, folder=path, progress=False)
    return path


@pytest.fixture(scope="module")
def pair(folder):
    [pair] = assess_pairs(read_hand_arrays([folder]))
    return pair


def linear(coefficients):
    """A value function that is linear in two features by street: the rank of the own card, and a pair times the pot."""

    def value(holes, board, node):
        street = min(node.street, len(coefficients) - 1)
        paired = sum(hole[0] // 2 == card // 2 for hole in holes[:1] for card in board)
        return coefficients[street][0] * holes[0][0] + coefficients[street][1] * paired * sum(node.committed)

    return value


@pytest.mark.parametrize("game", [KUHN, LEDUC])
@pytest.mark.parametrize("coefficients", [((0.3, 0.8), (0.6, 0.9)), ((-1e3, 7.0), (40.0, -2e4))])
def test_any_coefficients_leave_the_mean_of_the_money(game, coefficients):
    players = player(21), player(22)
    measure = Aivat(game, linear(coefficients), {})
    assert expectation(measure, players) == pytest.approx(won(game, players), rel=1e-9, abs=1e-7)


def test_coefficients_chosen_after_the_cards_are_seen_make_it_biased():
    # As if each hand were judged by the coefficients that suit it best.
    players = player(21), player(22)
    measure = Aivat(LEDUC, linear(((0.3, 0.8), (0.6, 0.9))), {})

    def suited(seen):
        luck = -sum(correction.amount for correction in seen.corrections)
        return seen.total + luck - max(luck, 0.0)  # takes off good luck, leaves bad luck

    assert abs(expectation(measure, players, suited) - won(LEDUC, players)) > 0.1


def test_coefficients_that_differ_before_and_after_the_cards_make_it_biased():
    # Half of what was to be expected is put back, and all that came is taken off.
    players = player(21), player(22)
    measure = Aivat(LEDUC, lambda holes, board, node: 1.0 + sum(node.committed), {})

    def lopsided(seen):
        return seen.total - 0.5 * sum(correction.expected for correction in seen.corrections)

    assert abs(expectation(measure, players, lopsided) - won(LEDUC, players)) > 0.1


CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def lines(tmp_path, next_street):
    """Hands that are alike up to a street, whose card is each one that is left."""
    seen = ["Ts", "6s", "Jd", "5d", "Td", "5h", "Th"] + (["2d"] if next_street == 3 else [])
    left = [card for card in CARDS if card not in seen]
    betting, board = {2: ("rc/rc/rf", "Td5hTh/{}"), 3: ("rc/rc/rc/rf", "Td5hTh/2d/{}")}[next_street]
    lost = {2: 6, 3: 10}[next_street]
    text = [f"STATE:{n}:{betting}:Ts6s|Jd5d/{board.format(card)}:{lost}|-{lost}:Ann|Bob" for n, card in enumerate(left)]
    path = tmp_path / "alike.log"
    path.write_text("\n".join(text) + "\n")
    return read_logs([LogSource(path, limit_holdem())])


@pytest.mark.parametrize("street", [2, 3])
def test_luck_is_nothing_over_all_cards_that_may_come(tmp_path, street):
    hands = lines(tmp_path, street)
    assert len(hands) == 48 - street - 1
    terms = luck_terms(assess(hands))
    assert np.abs(terms[:, [street, 4 + street]]).max() > 0.5
    assert terms[:, [street, 4 + street]].mean(axis=0) == pytest.approx([0.0, 0.0], abs=1e-9)


def test_money_is_what_is_left_and_the_luck_that_was_weighed(pair):
    shipped = shipped_mivat().coefficients
    assert pair.fair_money == pytest.approx(pair.mivat + pair.luck_terms @ shipped)
    # All of the rollout's luck and none of the share's is DIVAT, but for what the seats are worth.
    as_divat = Mivat(np.repeat([1.0, 0.0], 4)).samples(pair.luck_terms, pair.fair_money, pair.hands)
    assert as_divat == pytest.approx(pair.divat + pair.values["position"])


def test_it_is_worth_more_than_divat_and_is_in_every_answer(capsys, folder, pair):
    assert MEASURES["mivat"].is_unbiased
    assert pair.worth("duplicate_mivat") > pair.worth("duplicate_divat") > 1
    with pytest.raises(SystemExit):
        main(["assess", str(folder), "--json"])
    told = json.loads(capsys.readouterr().out)["pairs"][0]["measures"]
    assert told["mivat"]["mean"] == pytest.approx(pair.estimate("mivat").mean)
    assert told["duplicate_mivat"]["samples"] == 300


def test_coefficients_are_those_that_money_was_made_with():
    generator = np.random.default_rng(3)
    true = np.linspace(0.2, 1.0, len(TERMS))
    matches = []
    for noise in (0.1, 5.0):
        terms = generator.normal(size=(4_000, len(TERMS)))
        matches.append((terms, terms @ true + generator.normal(3.0, noise, 4_000)))
    assert fitted(matches) == pytest.approx(true, abs=0.1)
    with pytest.raises(AssessmentError, match="99 hands are too few"):
        fitted([(terms[:99], matches[1][1][:99])])


def test_no_hand_is_judged_by_coefficients_that_it_taught():
    # One deal that is far away from all others: fitted to itself, almost nothing is left of it.
    generator = np.random.default_rng(4)
    terms, money = generator.normal(size=(400, len(TERMS))), generator.normal(size=400)
    partners = np.arange(400) ^ 1
    terms[:2], money[:2] = 1e3, 1e3
    left = cross_fitted(terms, money, partners)
    alone = money - terms @ fitted([(terms, money)])
    assert np.abs(alone[:2]).max() < 10.0  # in hindsight it is explained away
    assert np.abs(left[:2]).min() > 500.0
    changed = money.copy()
    changed[0] = -1e3
    assert cross_fitted(terms, changed, partners)[1] == left[1]  # nor by those that its partner taught


def test_cross_fitting_is_unbiased_in_short_matches():
    # A skill of one, in short matches, whose coefficients follow their noise.
    generator = np.random.default_rng(5)
    means = {"own": [], "before": []}
    for _ in range(300):
        terms = generator.normal(size=(40, len(TERMS)))
        money = 1.0 + terms[:, 0] + generator.normal(0.0, 2.0, 40)
        alone = np.full(40, -1)
        means["own"].append(cross_fitted(terms, money, alone).mean())
        means["before"].append(cross_fitted(terms, money, alone, np.eye(1, len(TERMS))[0]).mean())
    for found in means.values():
        assert np.mean(found) == pytest.approx(1.0, abs=4 * np.std(found) / np.sqrt(300))
    assert np.std(means["before"]) < np.std(means["own"])


def test_a_match_that_it_was_learned_from_is_cross_fitted(pair):
    taught = Mivat(np.ones(8), ({"hands_digest": digest(pair.hands)},))
    found = taught.samples(pair.luck_terms, pair.fair_money, pair.hands)
    assert found == pytest.approx(cross_fitted(pair.luck_terms, pair.fair_money, pair.hands.pair_of))


def test_what_ships_says_where_it_is_from():
    trained = shipped_mivat().trained
    assert [tuple(match["players"]) for match in trained] == list(TRAINING)
    assert [match["seed"] for match in trained] == list(range(SEED, SEED + len(TRAINING)))
    assert {match["deals"] for match in trained} == {DEALS}


def test_training_as_a_command(capsys, monkeypatch, tmp_path, folder):
    other = tmp_path / "other"
    rb.play_match("always-call", "random", hands=300, seed=6, duplicate=True, folder=other, progress=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["build", "mivat", "--from", str(folder), "--from", str(other), "--out", "own.json"])
    out = capsys.readouterr().out
    assert out.startswith("MIVAT | 1,200 hands | 2 matches\n")
    assert out.endswith("wrote own.json\n")
    found = Mivat.load(tmp_path / "own.json")
    assert found.coefficients == pytest.approx(train_mivat([folder, other]).mivat.coefficients, abs=1e-4)
    [assessed] = rb.assess(folder, mivat="own.json", progress=False).pairs
    assert assessed.estimate("mivat").mean == pytest.approx(
        cross_fitted(assessed.luck_terms, assessed.fair_money, assessed.hands.pair_of).mean()
    )


def test_training_as_a_result(folder):
    [lesson] = played_lessons([("always-call", "random")], 100, 1)
    training = MivatTraining((lesson, *train_mivat([folder]).lessons))
    assert {row["measure"] for row in training.rows()} == {"divat", "mivat", "duplicate_divat", "duplicate_mivat"}
    assert set(training.to_json()["choices"]) >= {"rollout", "rollout and share", "times the pot"}
    with pytest.raises(AssessmentError, match="one match cannot tell"):
        str(MivatTraining((lesson,)))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "Expecting value"),
        ("[]", "where names and values belong"),
        ('{"schema": "railbird.mivat/2"}', "its schema is not railbird.mivat/1"),
        ('{"schema": "railbird.mivat/1", "coefficients": {}}', "lacks 'rollout preflop'"),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path, content, why):
    path = tmp_path / "some.json"
    path.write_text(content)
    with pytest.raises(AssessmentError, match=f"holds no coefficients of MIVAT: .*{why}.*railbird build mivat"):
        weighing(str(path))


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(AssessmentError, match=r"cannot read 'nowhere\.json': No such file"):
        weighing("nowhere.json")
