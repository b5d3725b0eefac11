"""How good models are: costs that can be worked out by hand, players whose chances are known, and the command."""

from __future__ import annotations

import json
from math import log2

import numpy as np
import pytest

from railbird import play_match
from railbird.cards import HOLDING_COUNT, parse_cards, parse_holding
from railbird.cli import main
from railbird.errors import InvalidGameError
from railbird.game.record import HandRecord
from railbird.game.spec import kuhn_poker, limit_holdem
from railbird.modeling.accuracy import Uniform, clustered, measured
from railbird.modeling.table_model import TableModel
from railbird.play.folder import MatchFolder
from railbird.statistics import Estimate

# Heads-up, checked down: the big blind (position 0) shows a pair of aces, the button queen high.
BOARD = parse_cards("Kh7d2d9s3c")
HAND = HandRecord(
    limit_holdem(), 5, ("ann", "bob"), (parse_cards("AsAc"), parse_cards("QsJc")), BOARD, "cc/cc/cc/cc", (2, -2)
)


class Stub(TableModel):
    """A model that thinks aces twice as likely as anything else, and that everybody calls nine times in ten."""

    def predicted_action(self, node):
        return (0.0, 0.9, 0.1) if node.to_call == 0 else (0.05, 0.9, 0.05)

    def weights(self):
        array = np.ones(HOLDING_COUNT)
        array[parse_holding("AsAc")] = 2.0
        return (array, array)


def logs_of(path, *bots, hands, duplicate=False, seed=1):
    play_match(*bots, hands=hands, seed=seed, duplicate=duplicate, folder=path, workers=1)
    folder = MatchFolder.open(path)
    return lambda: [list(folder.records(stream)) for stream in range(folder.spec.seating.legs)]


def test_costs_worked_out_by_hand():
    found = measured(Stub, [[HAND]], 10, "stub")
    assert found.players == ("ann", "bob")
    assert found.action_bits().mean == pytest.approx(-log2(0.9))
    assert len(found.actions) == 8
    shown = found.at_showdown()
    assert shown["bits"].tolist() == pytest.approx([log2(1082 / 2), log2(1082)])  # 1,081 holdings miss the board
    assert [found.only(player="ann").holding_bits(street).mean for street in range(4)] == pytest.approx(
        [log2((cards + 1) / 2) for cards in (1326, 1176, 1128, 1081)]
    )
    assert shown["deal"].tolist() == [5, 5]


def test_uniform_knows_nothing():
    found = measured(Uniform, [[HAND]], 10)
    assert [found.holding_bits(street).mean for street in range(4)] == pytest.approx(
        [log2(holdings) for holdings in (1326, 1176, 1128, 1081)]
    )
    # Before anything was seen, all players' frequencies are those of Table B.2: calls of half a bet have 0.3.
    assert found.actions["predicted"][0] == pytest.approx(
        [0.99 * 0.5 + 0.01 / 3, 0.99 * 0.3 + 0.01 / 3, 0.99 * 0.2 + 0.01 / 3]
    )


def test_percentiles_are_shares_of_weaker_holdings():
    shown = measured(Uniform, [[HAND]], 10).at_showdown()
    by_name = dict(zip(("ann", "bob"), shown["percentile"]))
    # On K9732 of four suits a pair of aces loses to sets, 5 x 3, and two pairs, 10 x 9.
    better, equal = 5 * 3 + 10 * 9, 6
    assert by_name["ann"] == pytest.approx((1081 - better - equal / 2) / 1081)
    # Queen-jack high beats the holdings without pair, ace, queen or king above it: none of A, K, 9, 7, 3, 2 in it, and
    # no pair: both cards from the eight ranks QJT8654 (28 cards), less Q with J; that one is level.
    unpaired = 21 * 16
    assert by_name["bob"] == pytest.approx((unpaired - 16 + 16 / 2) / 1081)


def test_percentiles_of_random_holdings_are_even(tmp_path):
    # Players who call with everything hold random cards: knowing nothing is the truth.
    logs = logs_of(tmp_path / "calls", "always-call", "always-call", "always-call", hands=400)
    found = measured(Uniform, logs(), 400)
    assert len(found.at_showdown()) == 1200
    assert abs(found.mean_percentile().mean - 0.5) < 1.5 * found.mean_percentile().margin
    assert found.percentile_histogram() == pytest.approx([0.1] * 10, abs=0.03)
    # A model that believes in Table B.2 takes every call for strength; one that watches learns better.
    generic, specific = measured(TableModel, logs(), 400), measured(lambda: TableModel(specific=True), logs(), 400)
    assert generic.mean_percentile().mean < 0.49
    assert generic.holding_gain(found).mean < -0.1
    assert abs(specific.only(since=0.5).holding_gain(found.only(since=0.5)).mean) < 0.02


def test_actions_of_known_chances(tmp_path):
    # Bots that act by fixed chances cannot be predicted better than by these chances: a specific model comes close.
    logs = logs_of(
        tmp_path / "random", "random:fold=0.05,call=0.75,raise=0.2", "random:fold=0.3,call=0.6,raise=0.1", hands=600
    )
    pooled, generic = measured(Uniform, logs(), 600), measured(TableModel, logs(), 600)
    specific = measured(lambda: TableModel(specific=True), logs(), 600)
    for baseline in (pooled, generic):
        gain = specific.action_gain(baseline)
        assert gain.mean > gain.margin
    late = specific.only(since=0.75)
    assert late.calibration_error() < 0.03 < generic.calibration_error()
    # The learning curve goes down to what the chances leave open. A fold that is not legal leaves 0.75 : 0.2.
    rows = late.only(player=late.players[0])
    truth = 0.0
    for row in rows.actions:
        legal = row["predicted"] > 0
        chances = np.array([0.05, 0.75, 0.2]) * legal
        truth -= log2(chances[row["taken"]] / chances.sum())
    assert rows.action_bits().mean == pytest.approx(truth / len(rows.actions), abs=0.05)
    assert rows.action_bits().mean < specific.only(player=late.players[0], until=0.02).action_bits().mean


def test_each_log_gets_a_model_of_its_own(tmp_path):
    logs = logs_of(tmp_path / "twice", "always-raise", "always-call", hands=30, duplicate=True)()
    together = measured(lambda: TableModel(specific=True), logs, 30)
    alone = [measured(lambda: TableModel(specific=True), [log], 30) for log in logs]
    assert together.actions["bits"].tolist() == [bits for each in alone for bits in each.actions["bits"].tolist()]
    assert together.action_bits().count == 30  # a deal is one sample, at however many tables


def test_parts_make_the_whole(tmp_path):
    logs = logs_of(tmp_path / "parts", "random", "always-call", "expert", hands=60)
    found = measured(TableModel, logs(), 60)
    for parts in (
        [found.only(street=street) for street in range(4)],
        [found.only(player=player) for player in found.players],
        [found.only(since=n / 4, until=(n + 1) / 4) for n in range(4)],
    ):
        assert sum(len(part.actions) for part in parts) == len(found.actions)
        assert sum(len(part.holdings) for part in parts) == len(found.holdings)
    assert sum(each.count for each in found.calibration()) == int((found.actions["predicted"] > 0).sum())


def test_clusters():
    rng = np.random.default_rng(3)
    values = rng.normal(size=200)
    single, plain = clustered(np.arange(200), values), Estimate.of(values)
    assert (single.mean, single.sd, single.count) == pytest.approx((plain.mean, plain.sd, 200))
    copied = clustered(np.repeat(np.arange(200), 6), np.repeat(values, 6))  # copies add no certainty
    assert (copied.mean, copied.margin) == pytest.approx((plain.mean, plain.margin))
    assert clustered(np.empty(0, np.int64), np.empty(0)).count == 0


def test_other_games_are_refused():
    hand = HandRecord(kuhn_poker(), 0, ("ann", "bob"), ((0,), (4,)), (), "cc", (1, -1))
    with pytest.raises(InvalidGameError, match="hold'em"):
        measured(TableModel, [[hand]], 1)


def test_the_command(tmp_path, capsys):
    folder = tmp_path / "match"
    play_match("bpl", "always-call", "expert", hands=20, seed=2, duplicate=True, folder=folder, workers=1)

    def output(*arguments):
        with pytest.raises(SystemExit) as end:
            main(["accuracy", str(folder), *arguments])
        captured = capsys.readouterr()
        return end.value.code or 0, captured.out, captured.err

    code, text, _ = output("--model", "specific", "--model", "specific:inverse=yes")
    assert code == 0
    rows = [line.split()[0] for line in text.splitlines() if line.startswith("  ")]
    assert "won on specific" in text
    assert rows[:5] == ["holdings", "uniform", "generic", "specific", "specific:inverse=yes"]
    assert "10.078" in text
    code, text, _ = output("--json", "--player", "bpl")
    data = json.loads(text)
    assert (data["schema"], data["player"]) == ("railbird.accuracy/1", "bpl")
    assert [model["name"] for model in data["models"]] == ["uniform", "generic", "specific"]
    assert data["models"][0]["holdings"]["after"]["preflop"]["mean"] == pytest.approx(log2(1326))
    assert len(data["models"][2]["actions"]["quarters"]) == 4
    for arguments, hint in (
        (["-m", "specfic"], "did you mean 'specific'?"),
        (["-m", "specific:invers=yes"], "did you mean 'inverse'?"),
        (["-p", "bpx"], "no player 'bpx'"),
    ):
        code, _, error = output(*arguments)
        assert code == 2
        assert hint in error
