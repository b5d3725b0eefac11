"""Expected ranks and their file, Yoki's models, its players, and the study of both figures."""

from __future__ import annotations

import random
import statistics
from functools import partial

import numpy as np
import pytest

import naive
from railbird.bots.potential_player import PotentialPlayer
from railbird.bots.registry import make_bot
from railbird.bots.yoki import Yoki, win_chance
from railbird.cache import cache_folder
from railbird.cards import HOLDING_COUNT, holding_cards, holding_index, parse_cards, parse_holding
from railbird.errors import InvalidCardsError, RailbirdError
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.kernels.cards.ranking import RANK_KEYS, TABLE
from railbird.kernels.odds.mean_ranks import SCALE, sum_ranks
from railbird.modeling.exposed import ExposedScores, ScoreAverage, SeenAction
from railbird.modeling.frequencies import CALL, FOLD, RAISE
from railbird.modeling.sigmoid import SigmoidModel, holding_factors, sigmoid_weights
from railbird.odds import expected_rank as module
from railbird.odds.expected_rank import (
    build_expected_ranks,
    expected_rank,
    expected_ranks,
    expected_ranks_on,
    holding_order,
    load_expected_ranks,
    read_expected_ranks,
)
from railbird.odds.ranges import preflop_counts
from railbird.papers.catalogue import STUDIES, run_study
from railbird.papers.piel_2006 import MODELS, PLAYERS, TIGHTER, played_styles
from railbird.play.matches import play_match

SEED = 20_060_630


def sums_on(board):
    sums = np.empty(HOLDING_COUNT, np.int64)
    sum_ranks(TABLE, RANK_KEYS, np.array(board, np.uint8), 5 - len(board), sums)
    return sums


# Expected ranks.


def test_rank_sums_agree_with_the_naive_twin():
    generator = random.Random(SEED)
    suited = [[4 * rank + suit for rank in generator.sample(range(13), 4)] for suit in range(4)]
    boards = [generator.sample(range(52), 4) for _ in range(8)] + suited
    boards += [generator.sample(range(52), 3), [4, 16, 28], [48, 49, 50]]
    for board in boards:
        sums = sums_on(board)
        flush_cards = [4 * rank + board[0] % 4 for rank in range(13)]
        pairs = [generator.sample(range(52), 2), generator.sample(flush_cards, 2)]
        for first, second in pairs * (3 if len(board) == 4 else 1):
            blocked = {first, second} & set(board)
            expected = -1 if blocked else naive.rank_sum((first, second), board)
            assert sums[holding_index(first, second)] == expected, (board, first, second)


@pytest.mark.parametrize("board_cards", [3, 4])
def test_expected_ranks_are_the_rounded_sums_whatever_the_suits(board_cards):
    generator = random.Random(SEED + board_cards)
    for _ in range(40):
        board = generator.sample(range(52), board_cards)
        sums = sums_on(board).astype(float)
        runouts = 46 if board_cards == 4 else 1081
        exact = np.where(sums < 0, np.nan, sums / runouts)
        found = expected_ranks_on(tuple(board))
        assert np.array_equal(np.isnan(found), np.isnan(exact))
        assert np.nanmax(np.abs(found - exact)) <= 0.5 / SCALE + 1e-9, board


def test_rank_on_the_river_is_the_rank():
    generator = random.Random(SEED)
    board = generator.sample(range(52), 5)
    found = expected_ranks_on(tuple(board))
    for holding in generator.sample(range(HOLDING_COUNT), 60):
        cards = holding_cards(holding)
        if set(cards) & set(board):
            assert np.isnan(found[holding])
        else:
            assert found[holding] == naive.rank([*cards, *board])


def test_text_in_and_refusals():
    assert expected_ranks("3h4cJh")[parse_holding("AdQc")] == expected_rank("QcAd", "Jh4c3h")
    with pytest.raises(InvalidCardsError, match="Jh appears twice"):
        expected_rank("JhQc", "3h4cJh")
    with pytest.raises(InvalidCardsError, match="has no cards"):
        expected_ranks("")


def test_order_of_holdings():
    order = holding_order(parse_cards("2c7dJh"))
    values = expected_ranks("2c7dJh")
    percentiles = order.percentiles
    possible = ~np.isnan(values)
    assert possible.sum() == len(order.holdings) == 1176
    for holding in random.Random(SEED).sample(sorted(order.holdings.tolist()), 50):
        below = np.sum(values[possible] < values[holding])
        equal = np.sum(values[possible] == values[holding])
        assert percentiles[holding] == pytest.approx((below + equal / 2) / 1176)
    assert np.isnan(percentiles[parse_holding("2cAs")])
    assert holding_index(*parse_cards("JcJs")) in order.holdings[-3:]


def test_order_before_the_flop_is_that_of_equity():
    percentiles = holding_order(()).percentiles
    names = list(preflop_counts())
    assert names[0] == "AA"
    assert percentiles[parse_holding("AsAh")] == max(percentiles) == 1 - 3 / 1326
    assert percentiles[parse_holding("3c2d")] == min(percentiles) == 6 / 1326


# The file.


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    parts = []
    path = build_expected_ranks(
        tmp_path_factory.mktemp("cache") / "new" / "ranks.bin", lambda *part: parts.append(part)
    )
    assert parts[0] == (0, 1755)
    assert parts[-1] == (1755, 1755)
    assert len(parts) == 19
    assert parts == sorted(parts)
    return path


def test_file_can_be_read_again(built):
    flops = read_expected_ranks(built)
    assert flops.shape == (1755, HOLDING_COUNT)
    assert not flops.flags.writeable
    assert [path.name for path in built.parent.iterdir()] == ["ranks.bin"]


@pytest.mark.parametrize(
    ("at", "change", "message"),
    [
        (1_000_000, b"\x01\x02", "damaged: the checksum does not fit"),
        (38, b"9", "has version 9 of the expected ranks, not 3"),
        (0, b"R", "is not a file of expected ranks"),
        (None, b"", "is damaged: 1,000 bytes where 4,654,400 belong"),
    ],
)
def test_damaged_and_old_files_are_refused_and_built_again(built, tmp_path, monkeypatch, at, change, message):
    content = built.read_bytes()
    damaged = content[:1000] if at is None else content[:at] + change + content[at + len(change) :]
    assert damaged != content
    path = tmp_path / "ranks.bin"
    path.write_bytes(damaged)
    with pytest.raises(RailbirdError, match=message):
        read_expected_ranks(path)
    flops = read_expected_ranks(built)
    monkeypatch.setattr(module, "_computed", lambda watch: {"flops": flops})
    with pytest.warns(UserWarning, match=message):
        load_expected_ranks(path)
    assert path.read_bytes() == content


def test_tables_stay_in_memory_where_nothing_can_be_written(built, tmp_path, monkeypatch):
    known = read_expected_ranks(built)
    monkeypatch.setattr(module, "_computed", lambda watch: {"flops": known})
    (tmp_path / "file").write_text("in the way")
    with pytest.warns(UserWarning, match="kept in memory only"):
        flops = load_expected_ranks(tmp_path / "file" / "ranks.bin")
    assert np.array_equal(flops, known)


def test_cache_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path


# Frequency modelling.


@pytest.mark.parametrize(
    "proportion", [(1, 1, 1), (5, 3, 2), (0, 1, 1), (1, 0, 0), (7, 1, 0), (40, 9, 51), (1, 2, 360)]
)
def test_weights_are_those_of_algorithm_2(proportion):
    for name, action in (("fold", FOLD), ("call", CALL), ("raise", RAISE)):
        expected = naive.model_weights(proportion, name)
        assert sigmoid_weights(proportion, action).tolist() == pytest.approx(expected, abs=1e-12)


def test_holdings_of_equal_rank_get_equal_weights():
    board = parse_cards("2c7dJh")
    values, factors = expected_ranks_on(board), holding_factors((1, 1, 1), RAISE, board)
    for value in np.unique(values[~np.isnan(values)])[-200:]:
        assert len(set(np.round(factors[values == value], 12))) == 1
    assert factors.sum() == pytest.approx(sigmoid_weights((1, 1, 1), RAISE, 1176).sum())
    assert factors[parse_holding("JcJs")] > 0.98
    assert factors[parse_holding("4c3s")] == 0.0
    assert factors[parse_holding("2cAs")] == 0.0  # shares a card with the board


def model_after(history, boards="2c7dJh8s9c", hands=1, **settings):
    """A model that has watched some hands of Ann (small blind) and Bob, and is in the last of them."""
    model = SigmoidModel(**settings)
    game = limit_holdem()
    for _ in range(hands):
        model.begin(("Ann", "Bob"))
        node = Betting.start(game)
        for text in history.replace("/", ""):
            model.observe(node, parse_cards(boards)[: game.board_seen(node.street)], Action.parse(text))
            node = node.after(Action.parse(text))
    return model


def test_a_raise_makes_good_holdings_likely():
    ann, bob = model_after("cc/rc").weights()  # Ann, in the big blind, checked and bet; Bob called twice
    two_pair, second_pair, nothing = map(parse_holding, ("Js7h", "Td7s", "4d3s"))
    assert ann[two_pair] > 50 * ann[nothing]
    assert bob[second_pair] > 2 * bob[two_pair]
    assert bob[second_pair] > 50 * bob[nothing]
    assert min(ann.min(), bob.min()) == 0.01
    assert max(ann.max(), bob.max()) == 1.0


def test_a_free_check_does_not_say_that_a_holding_is_better_than_the_worst():
    ann, bob = model_after("cc/c").weights()
    assert ann[parse_holding("4d3s")] == 1.0  # checked twice
    assert bob[parse_holding("4d3s")] < 0.1  # called the small blind's half bet


def test_a_player_who_always_raises_says_little_by_it():
    once, often = model_after("rc/crc"), model_after("rc/crc", hands=60)
    weak, strong = parse_holding("Td7s"), parse_holding("JcJs")
    assert often.proportion("Bob") == (0, 0, 120)
    first, later = once.weights()[1], often.weights()[1]
    assert later[weak] / later[strong] > 10 * first[weak] / first[strong]
    often.forget()
    assert often.proportion("Bob") == pytest.approx((20 / 3,) * 3)
    assert all((array == 1).all() for array in often.weights())


@pytest.mark.parametrize("contexts", [False, True])
def test_predicted_actions_are_probabilities_of_legal_ones(contexts):
    model = model_after("rrc/rc", hands=5, contexts=contexts)
    start = Betting.start(limit_holdem())
    for history in ("", "r", "rrr", "cc/"):
        node = start.play(history)
        predicted = model.predicted_action(node)
        assert sum(predicted) == pytest.approx(1)
        assert (predicted[RAISE] > 0) == node.can_raise
        assert (predicted[FOLD] > 0) == node.can_fold


# Exposed cards.


def test_averages_against_the_statistics_module():
    scores = random.Random(SEED).choices([0.2, 0.5, 0.6, 0.9], k=200)
    average = ScoreAverage()
    for score in scores:
        average.add(score)
    assert average.mean == pytest.approx(statistics.fmean(scores))
    assert average.squares == pytest.approx(200 * statistics.pvariance(scores))


def test_looking_back_after_a_showdown():
    board = parse_cards("2c7dJh8s9c")
    seen = [
        SeenAction(1, RAISE, 1, ()),
        SeenAction(0, CALL, 1, ()),
        SeenAction(0, CALL, 0, board[:3]),  # a check, which says nothing of its score
        SeenAction(1, RAISE, 0, board[:3]),
        SeenAction(0, CALL, 1, board[:3]),
        SeenAction(2, FOLD, 1, board[:3]),  # whose cards are not shown
    ]
    scores = ExposedScores()
    shown = {0: parse_cards("Ah7h"), 1: parse_cards("JcJs")}
    scores.learn(("Ann", "Bob", "Cal"), seen, shown)
    ann, bob = parse_holding("Ah7h"), parse_holding("JcJs")
    before, flop = holding_order(()).percentiles, holding_order(board[:3]).percentiles
    assert scores.average("Bob", RAISE).mean == pytest.approx((before[bob] + flop[bob]) / 2)
    assert scores.average("Ann", CALL).mean == pytest.approx((before[ann] + flop[ann]) / 2)
    assert [scores.average(name, kind).count for name, kind in (("Ann", RAISE), ("Bob", CALL), ("Cal", CALL))] == [
        0
    ] * 3
    factors = scores.factors("Bob", RAISE, flop)
    assert factors[bob] > factors[ann] > factors[parse_holding("4d3s")] > 0
    assert (scores.factors("Cal", RAISE, flop) == 1).all()


# Players.


def view_of(holding, board="", history="", game=None):
    node = Betting.start(game or limit_holdem()).play(history)
    names = tuple(f"player-{position}" for position in range(node.game.seats))
    return PlayerView(node, node.to_act, parse_cards(holding), parse_cards(board), 0, names)


def test_players_that_look_at_their_potential():
    bot = PotentialPlayer(fold_below=0.4, bet_above=0.7)
    acts = partial(view_of, board="2c7dJh")
    assert str(bot.act(acts("JcJs", history="cc/r"))) == "r"
    assert str(bot.act(acts("JcJs", history="cc/rrrr"))) == "c"  # capped
    assert str(bot.act(acts("4d3s", history="cc/r"))) == "f"
    assert str(bot.act(acts("4d3s", history="cc/"))) == "c"
    percentile = holding_order(parse_cards("2c7dJh")).percentiles[parse_holding("AsKd")]
    assert 0.4 < percentile < 0.7
    assert str(bot.act(acts("AsKd", history="cc/r"))) == "c"


def test_styles_differ_as_they_should():
    tight, default, loose = (make_bot(f"yoki-{name}") for name in ("tight", "default", "loose"))
    assert loose.fold_below < default.fold_below < tight.fold_below
    assert loose.bet_above < default.bet_above < tight.bet_above


def test_chance_to_win_agrees_with_the_naive_twin():
    hole, board = parse_cards("AdQc"), parse_cards("3h4cJh8s")
    generator = random.Random(SEED)
    holdings = [tuple(generator.sample(range(52), 2)) for _ in range(24)]
    ranges = [{holding: generator.random() for holding in holdings[at : at + 12]} for at in (0, 12)]
    weights = np.zeros((HOLDING_COUNT, 2))
    for column, held in enumerate(ranges):
        for holding, weight in held.items():
            weights[holding_index(*holding), column] = weight
    assert win_chance(hole, board, weights) == pytest.approx(naive.showdown_chance(hole, board, ranges), abs=1e-12)
    river = parse_cards("3h4cJh8s2d")
    assert win_chance(hole, river, weights) == pytest.approx(naive.showdown_chance(hole, river, ranges), abs=1e-12)


def test_sampled_chance_comes_close_to_the_exact_one(monkeypatch):
    monkeypatch.setattr("railbird.bots.yoki.RUNOUTS", 20_000)
    uniform = np.ones((HOLDING_COUNT, 1))
    assert win_chance(parse_cards("AdQc"), parse_cards("3h4cJh"), uniform, 7) == pytest.approx(0.511, abs=0.01)
    assert win_chance(parse_cards("AsAh"), (), uniform, 7) == pytest.approx(0.852, abs=0.01)
    # Three opponents: the income rate of aces among four is 4 x share - 1 = 1.55, so the share is 0.64; 0.852 cubed,
    # as if the opponents were independent, would be 0.618.
    assert win_chance(parse_cards("AsAh"), (), np.ones((HOLDING_COUNT, 3)), 7) == pytest.approx(0.64, abs=0.01)


def test_yoki_plays_by_its_chance():
    bot = Yoki()

    def act(holding, board, history):
        view = view_of(holding, board, history)
        bot.seed_hand(1)
        bot.on_hand(view)
        return str(bot.act(view))

    assert act("JcJs", "2c7dJh", "cc/r") == "r"
    assert act("4d3s", "Ac7dJh", "cc/r") == "f"
    assert act("4d3s", "Ac7dJh", "cc/") == "c"


def test_yoki_beats_the_simple_players():
    result = play_match(
        "yoki", "yoki-tight", "yoki-loose", "yoki-default", hands=150, seed=3, duplicate=True, workers=1
    )
    assert not result.faults
    loose = result.lead(0, 2)
    assert loose.mean > loose.margin


# The study.


def test_study_of_the_figures():
    ticks = []
    study = played_styles(hands=120, seed=5, watch=lambda done, total: ticks.append((done, total)))
    assert ticks == [(done, 120 * (1 + len(MODELS))) for done in range(1, 120 * (1 + len(MODELS)) + 1)]
    assert study.money.shape == (120, len(PLAYERS))
    assert np.allclose(study.money.sum(axis=1), 0)
    tight, loose, default = study.styles
    raises = [style.proportion[RAISE] / sum(style.proportion) for style in (tight, default, loose)]
    folds = [style.proportion[FOLD] / sum(style.proportion) for style in (loose, default, tight)]
    assert raises == sorted(raises)
    assert folds == sorted(folds)
    assert tight.raise_score > default.raise_score > loose.raise_score > 0.5
    for name in ("frequencies", "frequencies and exposed cards"):
        gain = study.accuracy[name].holding_gain(study.accuracy["no model"])
        assert gain.mean > 0
    assert len(study.bits_gained("frequencies", parts=3)) == 3
    again = played_styles(hands=20, seed=5)
    assert np.array_equal(again.money, study.money[:20])


def test_study_of_other_parameters():
    study = played_styles(hands=30, seed=5, players=TIGHTER)
    assert [style.name for style in study.styles] == list(study.players[:3])
    assert study.players[3] == "random"


def test_looser_styles_raise_more_often():
    study = played_styles(hands=300, seed=5)
    lead = study.raise_lead("yoki-loose", "yoki-tight")
    tight, loose, _ = (style.proportion[RAISE] / sum(style.proportion) for style in study.styles)
    assert lead.mean == pytest.approx(loose - tight)
    assert study.raise_lead("yoki-tight", "yoki-loose").mean == -lead.mean
    assert (lead.count, lead.is_clear) == (300, True)
    # The linearised deviation agrees with leaving out ten hands at a time (jackknife).
    others = [np.arange(300) // 10 != part for part in range(30)]
    (raises, actions), (fewer, acted) = (study._raises(name) for name in ("yoki-loose", "yoki-tight"))
    leads = [raises[rest].sum() / actions[rest].sum() - fewer[rest].sum() / acted[rest].sum() for rest in others]
    assert lead.sd / 300**0.5 == pytest.approx(29 * np.std(leads, ddof=1) / 30**0.5, rel=0.3)
    assert [str(finding) for finding in study.findings] == list(STUDIES["piel-5"].claims)
    assert sum(int(share.rstrip("%")) for share in study.styles[0].shares) == pytest.approx(100, abs=1)


def test_money_of_the_styles_is_judged_with_every_choice_of_what_is_not_printed():
    result = run_study("piel-5.2", 2, seed=3, progress=False)
    assert len(result.findings) == 12
    assert {finding.claim for finding in result.findings} == set(result.study.claims)
    assert {finding.ours.claims for finding in result.findings} == {12}
    for (name, figure), reading in zip(result.figures().items(), result.study.games):
        own = [finding for finding in result.findings if finding.reading == reading]
        assert figure.title == f"{result.study.title}, {reading}"
        assert figure.rows[4:] == [(str(each), each.measured, each.outcome) for each in own], name
