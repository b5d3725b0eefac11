"""Vexbot2 and the switcher as players: what they learn, forget, save and say. A random strategy is the equilibrium."""

from __future__ import annotations

import shutil
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird.bots.base import Bot
from railbird.bots.equilibrium import Equilibrium, strategy_of
from railbird.bots.reasons import explain
from railbird.bots.registry import make_bot
from railbird.bots.simple import AlwaysCall, AlwaysRaise
from railbird.bots.switcher import Switcher
from railbird.bots.vexbot2 import PARTS, Deals, Vexbot2
from railbird.cards import HOLDING_COUNT, holding_cards, holding_index, parse_cards
from railbird.check.check_bot import check_bot
from railbird.errors import RailbirdError, UnknownBotError
from railbird.files import map_tables, write_tables
from railbird.game.betting import Betting
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import leduc_poker, limit_holdem, no_limit_holdem
from railbird.game.view import PlayerView
from railbird.kernels.cards.ranking import RANK_KEYS, TABLE
from railbird.kernels.odds.runouts import find_equities
from railbird.kernels.solve import buckets as bucket_kernels
from railbird.kernels.solve.river_clusters import GROUPS
from railbird.play.dealing import deals
from railbird.play.folder import MatchFolder
from railbird.play.hand import HandPlayer
from railbird.play.match import MatchSpec
from railbird.play.run import run_matches
from railbird.search import holding_model
from railbird.search.belief import BeliefSearch
from railbird.search.holding_model import HoldingModel
from railbird.solve.abstraction import Abstraction
from railbird.solve.holding_features import histograms
from railbird.solve.strategy import Strategy

GAME = limit_holdem()
BOARD = "3h4cJh2d9s"


def made_strategy(seed: int, cap: int = 4) -> Strategy:
    """A strategy that raises good hands more often on the river; the buckets of its flops and turns need no table."""
    generator, game = np.random.default_rng(seed), limit_holdem(cap=cap)
    counts = (169, 1, 1, 60)
    abstraction = Abstraction({"method": "ehs", "counts": np.array(counts), "river": np.full((20, 2), (0.35, 0.65))})
    tables = []
    for street, nodes in enumerate(BettingTree.of(game).decisions):
        weights = 0.2 + generator.random((len(nodes), counts[street], 3), np.float32)
        if street == 3:
            strength = np.linspace(0, 1, counts[3], dtype=np.float32)[None, :, None]
            weights *= np.concatenate([1.2 - strength, np.ones_like(strength), 0.1 + strength], axis=2)
        tables.append(weights)
    return Strategy.of(game, abstraction, tables, {})


@pytest.fixture(scope="module")
def strategy() -> Strategy:
    return made_strategy(1)


@pytest.fixture(scope="module")
def file(tmp_path_factory, strategy) -> Path:
    path = tmp_path_factory.mktemp("strategies") / "made.npz"
    strategy.save(path)
    return path


def view(history: str, holding: str, board: str = BOARD, position: int | None = None, hand: int = 0) -> PlayerView:
    node = Betting.start(GAME).play(history)
    place = node.to_act if position is None else position
    seen = parse_cards(board)[: (0, 3, 4, 5)[node.street]]
    return PlayerView(node, place, parse_cards(holding), seen, hand, ("A", "B"))


def played(bot: Bot, opponent: Bot, hands: int, seed: int = 1, first: int = 0) -> float:
    """Small bets a hand that `bot` wins."""
    table, won = HandPlayer(GAME, [bot, opponent], ("bot", "opponent")), 0
    for deal in deals(GAME, seed, first, hands):
        bot.seed_hand(seed, deal.number)
        opponent.seed_hand(seed, deal.number + 1_000_000)
        order = (deal.number % 2, 1 - deal.number % 2)
        won += table.play(deal, order).payoffs[order.index(0)]
    assert not table.faults
    return won / 2 / hands


def assert_same_model(first: HoldingModel, second: HoldingModel) -> None:
    for name in ("seen", "expected", "shown", "odds", "memory", "floor"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    np.testing.assert_array_equal(first.memories.table, second.memories.table)


SPOTS = (("", "Ts9s"), ("rc/c", "Ts9s"), ("cc/rc/", "Ts9s"), ("rrc/cc/crc/r", "AdQc"), ("cc/cc/cc/c", "5c5d"))


def decisions(bot: Vexbot2) -> list:
    found = []
    for history, holding in SPOTS:
        at = view(history, holding)
        bot.on_hand(view("", holding, position=at.position))
        bot.seed_hand(5)
        found.append(bot.explain(at))
    return found


# A player


def test_it_is_fit_to_play(file):
    report = check_bot(f"vexbot2:strategy={file}", budget_seconds=4)
    assert report.ok, report.findings
    assert not report.findings
    assert report.learns


def test_it_plays_a_match_without_faults_and_to_the_same_bytes(file, tmp_path):
    spec = MatchSpec(GAME, (f"vexbot2:strategy={file}", "random"), 40, 3, True)
    spec = replace(spec, block_hands=10)

    def logs(name: str, workers: int) -> dict[str, bytes]:
        result = run_matches([MatchFolder.create(tmp_path / name, spec)], workers)[0]
        assert not result.faults
        return {path.name: path.read_bytes() for path in sorted((tmp_path / name).iterdir())}

    one = logs("one", workers=1)
    assert logs("two", workers=2) == one
    for cut in (300, -30):
        torn = tmp_path / f"torn{cut}"
        shutil.copytree(tmp_path / "one", torn)
        log = min(torn.glob("*.log"))
        log.write_bytes(log.read_bytes()[:cut])
        assert logs(torn.name, workers=1) == one


@pytest.mark.parametrize("without", ["", "preflop", "limit"])
def test_the_same_seed_decides_the_same_and_reasons_are_those_of_the_act(file, without):
    bot = Vexbot2(strategy=str(file), without=without)
    played(bot, AlwaysRaise(), 20)
    for history, holding in SPOTS:
        at = view(history, holding)
        bot.on_hand(view("", holding, position=at.position))
        for seed in range(20):
            bot.seed_hand(seed)
            decision = bot.explain(at)
            bot.seed_hand(seed)
            assert bot.act(at) == decision.action
        chances = [decision.quantities[f"plays {name}"] for name in ("fold", "call", "raise")]
        assert sum(chances) == pytest.approx(1.0)
        assert at.can_fold or chances[0] == 0
        assert at.can_raise or chances[2] == 0
        assert ("EV fold" in decision.quantities) == at.can_fold


@pytest.mark.parametrize("without", ["", "preflop"])
def test_it_acts_as_it_says(file, without):
    bot = Vexbot2(strategy=str(file), deals=Deals(2, 2), without=without)
    played(bot, AlwaysRaise(), 20)
    draws = 300
    for history, holding in SPOTS if not without else SPOTS[:1]:
        at = view(history, holding)
        said = bot.probabilities(at)
        assert said.sum() == pytest.approx(1.0)
        drawn = Counter()
        for seed in range(draws):
            bot.seed_hand(seed)
            drawn[bot.act(at).kind] += 1
        shares = np.array([drawn[kind] / draws for kind in "fcr"])
        # Four standard errors and a half: once in 150,000 comparisons by chance.
        assert (abs(shares - said) <= 4.5 * np.sqrt(said * (1 - said) / draws) + 1e-9).all(), (history, said)


def test_it_says_what_it_would_do_with_other_cards(file):
    bot = Vexbot2(strategy=str(file), deals=Deals(2, 2))
    played(bot, AlwaysRaise(), 20)
    before, generator = bot.model.seen.copy(), np.random.default_rng(3)
    for history, holding in (SPOTS[0], SPOTS[2], SPOTS[3]):
        at = view(history, holding)
        every = bot.probabilities(at, every=True)
        assert every.shape == (HOLDING_COUNT, 3)
        np.testing.assert_allclose(every.sum(axis=1), 1.0)
        live = [other for other in range(HOLDING_COUNT) if not set(holding_cards(other)) & set(at.board_cards)]
        for other in [holding_index(*at.hole_cards), *generator.choice(live, 6).tolist()]:
            said = bot.probabilities(at._replace(hole_cards=holding_cards(other)))
            np.testing.assert_allclose(every[other], said, atol=1e-4)
    np.testing.assert_array_equal(bot.model.seen, before)


def test_preparing_looks_at_boards_of_the_street_that_is_played(file, strategy, monkeypatch):
    observe, seen = HoldingModel.observe, []

    def checked(model, node, action, board, before, after):
        street = int(model.tree.street[node])
        seen.append((street, board.buckets.max() < strategy.abstraction.counts[street]))
        if seen[-1][1]:  # the kernel does not look where its tables end
            observe(model, node, action, board, before, after)

    monkeypatch.setattr(HoldingModel, "observe", checked)
    Vexbot2(strategy=str(file)).prepare()
    assert seen
    assert all(inside for _, inside in seen), seen


def plays(bot: Vexbot2, at: PlayerView) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How likely each action is, how likely it is for the equilibrium, and what it is worth."""
    bot.on_hand(at)
    bot.seed_hand(7)
    found = bot.explain(at).quantities
    names = ("fold", "call", "raise")
    chances, usual = (np.array([found[f"{what} {name}"] for name in names]) for what in ("plays", "equilibrium"))
    return chances, usual, np.array([found.get(f"EV {name}", -np.inf) for name in names])


def test_it_strays_from_the_equilibrium_as_evidence_grows(file):
    for history, holding in (("cc/r", "AdQc"), ("rc/cr", "5c5d"), ("cc/cc/r", "Ts9s"), ("cc/cc/cc/r", "7s6s")):
        at = view(history, holding)
        cautious, usual, _ = plays(Vexbot2(strategy=str(file), caution=1e6), at)
        assert abs(cautious - usual).max() < 0.02
        bold, _, values = plays(Vexbot2(strategy=str(file), caution=1e-4), at)
        assert bold[int(np.argmax(values))] > 0.99
        bot, shares = Vexbot2(strategy=str(file), trust=100.0), []
        for hands in (0, 100, 300):
            bot.model.memories.lasted[:] = hands
            chances, usual, values = plays(bot, at)
            shares.append(chances[int(np.argmax(values))])
            # Caution is 1 small bet at first and halves when `trust` hands are known.
            wanted = (0.98 * usual + 0.02 / 3) * np.exp((values - values.max()) * (1 + hands / 100))
            np.testing.assert_allclose(chances, wanted / wanted.sum(), atol=1e-6)
        assert shares == sorted(shares)


@pytest.mark.parametrize("part", PARTS)
def test_any_part_can_be_left_out(file, part):
    bot = make_bot(f"vexbot2:strategy={file},without={part}")
    played(bot, AlwaysRaise(), 6)
    assert isinstance(bot, Vexbot2)
    assert bot.model.hands > 5


def test_without_search_before_the_flop_it_plays_the_equilibrium_there(file):
    bot = Vexbot2(strategy=str(file), without="preflop")
    usual = np.array(Equilibrium(str(file)).chances(view("r", "7h2d")))
    found = Counter()
    for seed in range(2000):
        bot.seed_hand(seed)
        found[bot.act(view("r", "7h2d")).kind] += 1
    # Standard errors of 0.011 at most; a fiftieth is spread evenly.
    shares = np.array([found[kind] / 2000 for kind in "fcr"])
    assert abs(shares - usual).max() < 0.05


def test_it_knows_which_games_it_plays(file, tmp_path):
    bot = Vexbot2(strategy=str(file))
    assert bot.can_play(GAME)
    assert bot.can_play(limit_holdem(small_bet=10))
    for other in (
        limit_holdem(3),
        limit_holdem(cap=3),
        limit_holdem(cap=None),
        limit_holdem(reverse_blinds=False),
        limit_holdem(stack=100),
        no_limit_holdem(),
        leduc_poker(),
    ):
        assert not bot.can_play(other)


def test_other_chips_are_the_same_game(file):
    large = limit_holdem(small_bet=10)
    for history, holding in SPOTS:
        at, bot = view(history, holding), Vexbot2(strategy=str(file))
        bot.seed_hand(3)
        decision = bot.explain(at)
        bot = Vexbot2(strategy=str(file))
        bot.seed_hand(3)
        again = bot.explain(at._replace(betting=Betting.start(large).play(history)))
        assert again.action == decision.action
        for name, value in decision.quantities.items():
            assert again.quantities[name] == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("memory=0.5", "memory=0.5"),
        ("trust=0", "trust=0"),
        ("caution=-1", "caution=-1"),
        ("h=0.99", "no parameter 'h'"),
        ("memory=nan", "memory=nan"),
        ("without=tabel", "without=tabel.*table"),
        ("model=nowhere", "cannot read the model 'nowhere'"),
        ("strategie=x", "no parameter 'strategie'"),
    ],
)
def test_bad_parameters_are_refused(text, message):
    with pytest.raises(UnknownBotError, match=message) as error:
        make_bot(f"vexbot2:{text}")
    assert "\n" not in str(error.value)


def test_a_strategy_that_is_not_there_is_refused():
    with pytest.raises(UnknownBotError, match=r"no strategy file 'nowhere\.npz'"):
        make_bot("vexbot2:strategy=nowhere.npz").can_play(GAME)


# Learning


def test_it_learns_in_hooks_only(file):
    bot = Vexbot2(strategy=str(file))
    first = decisions(bot)
    assert not bot.model.seen.any()
    assert not bot.model.shown.any()
    assert bot.model.hands == bot.model.surprise == 0.0
    assert decisions(bot) == first


def test_a_showdown_counts_the_cards_that_were_shown(file):
    bot = Vexbot2(strategy=str(file))
    bot.on_hand(view("", "AdQc", position=0))
    end = view("rc/cc/rc/cc", "AdQc", position=0)
    bot.on_showdown(end, {0: parse_cards("AdQc"), 1: parse_cards("JsJc")})
    bot.on_result(end, (-8, 8))
    model = bot.model
    assert model.hands == pytest.approx(1.0)
    node = model.tree.node("rc/cc/rc/c")  # the last decision of the opponent
    cell = model.board(end.board_cards).cells[holding_index(*parse_cards("JsJc"))]
    assert cell >= 18
    rows, groups, _ = model._shares.at(node)
    keep = 1 - 1 / model.memory
    for row, group in zip(rows, groups):
        assert model.shown[0, row : row + group].sum() == pytest.approx(keep)
        assert model.shown[0, row + cell * group // 20, 1] == pytest.approx(keep)
    own = model.tree.node("rc/cc/rc/")  # a decision of its own
    rows, _, _ = model._shares.at(own)
    assert not model.shown[:, rows[-1] : rows[-1] + 10].any()


def test_a_hand_that_was_not_shown_counts_in_parts(file):
    bot = Vexbot2(strategy=str(file))
    bot.on_hand(view("", "AdQc", position=0))
    bot.on_result(view("rc/cc/cc/rf", "AdQc", position=0), (4, -4))
    node = bot.model.tree.node("rc/cc/cc/r")
    rows, groups, _ = bot.model._shares.at(node)
    by_cell = bot.model.shown[0, rows[-2] : rows[-2] + groups[-2], 0]
    assert by_cell.sum() == pytest.approx(1 - 1 / bot.model.memory)
    assert (by_cell > 0).sum() >= 19
    assert by_cell[:10].sum() > 0.6  # this strategy folds what is weak


def test_hands_that_were_not_shown_can_be_left_out(file):
    bot = Vexbot2(strategy=str(file), without="unseen")
    bot.on_hand(view("", "AdQc", position=0))
    bot.on_result(view("rc/cc/cc/rf", "AdQc", position=0), (4, -4))
    rows, groups, _ = bot.model._shares.at(bot.model.tree.node("rc/cc/cc/r"))
    counted = [bot.model.shown[0, row : row + group].sum() for row, group in zip(rows, groups)]
    assert counted == pytest.approx([(1 - 1 / bot.model.memory) * (group == 1) for group in groups])


def test_reset_forgets_and_hands_fade(file):
    bot = Vexbot2(strategy=str(file), memory=10.0)
    before = decisions(bot)
    played(bot, AlwaysRaise(), 30)
    assert bot.model.memories.lasted[1] == pytest.approx(sum(0.9**n for n in range(30)))
    assert decisions(bot) != before
    bot.reset()
    assert decisions(bot) == before


def raise_chances(model: HoldingModel, history: str, board: str = BOARD) -> np.ndarray:
    """By possible holding: the chance of a raise that the model expects."""
    return action_chances(model, history, 2, board)


def action_chances(model: HoldingModel, history: str, action: int, board: str = BOARD) -> np.ndarray:
    node = model.tree.node(history)
    model.refresh(np.array([node]))
    seen = model.board(tuple(parse_cards(board)[: (0, 3, 4, 5)[model.tree.street[node]]]))
    weights = np.ones(HOLDING_COUNT)
    model.weigh(node, action, seen, weights)
    return weights


@pytest.fixture(scope="module")
def raised(file) -> tuple[Vexbot2, float]:
    """A player who has met one that always raises 250 times, and what it won in the last 150 hands, in small bets."""
    bot = Vexbot2(strategy=str(file))
    played(bot, AlwaysRaise(), 100)
    return bot, played(bot, AlwaysRaise(), 150, first=100)


def test_who_always_raises_is_soon_known(raised, strategy):
    model, fresh = raised[0].model, HoldingModel(strategy)
    for history in ("", "r", "rrc/", "rrc/c", "rrc/rrc/", "rrc/rrc/c", "rrc/rrc/rrc/", "rrc/rrc/rrc/c"):
        assert raise_chances(fresh, history).mean() < 0.7, history
        assert (raise_chances(model, history) > 0.9).mean() > 0.8, history
    assert model.surprise > 50


def test_it_gains_on_who_always_raises(raised):
    # A best response wins 3.7 sb/hand, and the standard error of 150 hands is about 0.9.
    assert raised[1] > 0.5


def test_who_plays_the_equilibrium_is_taken_for_it(file, strategy):
    bot = Vexbot2(strategy=str(file))
    played(bot, Equilibrium(str(file)), 200)
    model = bot.model
    fresh = HoldingModel(strategy)
    strayed = [
        abs(action_chances(model, history, action) - action_chances(fresh, history, action)).mean()
        for history in ("", "r", "cc/", "rc/c", "cc/cc/", "cc/cc/cc/", "cc/cc/cc/c", "rc/cc/cc/r")
        for action in range(3)
    ]
    # Chance alone makes it 0.06 or so on average; who always raises is 0.4 away.
    assert np.mean(strayed) < 0.1
    assert max(strayed) < 0.2
    assert model.surprise < 5  # it has no reason to think that it knows better than the strategy


def test_who_stops_raising_is_soon_taken_for_another(raised, file):
    bot = deepcopy(raised[0])
    assert bot.model.memories.weights[0] < 0.01
    played(bot, Equilibrium(str(file)), 15, first=250)
    assert bot.model.memories.weights[0] > 0.5  # of what it had learned nothing counts now
    assert bot.model.surprise < 0.2 * raised[0].model.surprise


def test_who_calls_after_raising_is_learned_anew(raised, strategy):
    bot = deepcopy(raised[0])
    played(bot, AlwaysCall(), 120, first=250)
    model = bot.model
    assert model.hands < 150  # what was known of the raiser is forgotten
    for history in ("r", "rc/", "rc/c", "rc/cc/", "rc/cc/c"):
        assert raise_chances(model, history).mean() < 0.1, history


class DirectBuckets(Abstraction):
    """An abstraction that finds the buckets of a turn board without the table of all boards."""

    def fill(self, board, cards, found):
        centres = self._turn.astype(np.float32)
        dead = np.isin(holding_model.HOLDING_CARDS, board).any(axis=1)
        found[:] = 0
        indices = np.where(dead, -1, np.arange(HOLDING_COUNT))
        bucket_kernels.assign_holdings(indices, histograms(board), centres, centres.sum(axis=1), found)


@pytest.mark.parametrize("method", ["histogram", "ochs"])
def test_cells_run_from_the_weakest_holdings_to_the_strongest(method):
    shipped = strategy_of()
    definition = shipped.abstraction.definition
    if method == "ochs":  # the same flops and turns
        rivers = np.zeros((shipped.abstraction.counts[3], GROUPS), np.uint16)
        definition |= {"method": method, "river": rivers, "groups": np.zeros(169, np.uint8)}
    model = HoldingModel(Strategy(shipped.game, DirectBuckets(definition), shipped.codes, {}))
    board = tuple(parse_cards(BOARD))[:4]
    strengths = np.empty(HOLDING_COUNT)
    find_equities(TABLE, RANK_KEYS, np.array(board, np.uint8), 1, np.ones(HOLDING_COUNT), strengths)
    live = ~np.isnan(strengths)
    assert np.corrcoef(model.board(board).cells[live], strengths[live])[0, 1] > 0.9
    order = model.board(()).cells
    assert order[holding_index(*parse_cards("AsAh"))] == 19
    assert order[holding_index(*parse_cards("3s2h"))] == 0


def test_its_mind_can_be_looked_at(file):
    found = explain("AdQc", "3h4cJh", "cc/r", bot=f"vexbot2:strategy={file}")
    quantities = found.decision.quantities
    assert quantities["EV fold"] == pytest.approx(-1.0)
    assert {name for name in quantities if name.startswith("EV")} == {"EV fold", "EV call", "EV raise"}
    assert sum(quantities[f"plays {name}"] for name in ("fold", "call", "raise")) == pytest.approx(1.0)
    answer = found.to_json()
    assert all(sum(cells) == pytest.approx(1.0) and len(cells) == 20 for cells in answer["histograms"].values())
    assert {line["history"][0] for line in answer["lines"]} == {"f", "c", "r"}


# Files


@pytest.fixture(scope="module")
def learned(file) -> Vexbot2:
    bot = Vexbot2(strategy=str(file), memory=500.0)
    played(bot, AlwaysCall(), 30)
    return bot


def test_a_saved_model_comes_back_whole(learned, strategy, tmp_path):
    path = learned.model.save(tmp_path / "caller.model")
    again = HoldingModel.load(path, strategy)
    assert_same_model(again, learned.model)
    cards, board = (50, 37), tuple(parse_cards(BOARD))
    for history, seen in (("cc/r", 3), ("cc/rc/c", 4), ("rrc/cc/crc/r", 5)):
        position = int(again.tree.actor[again.tree.node(history)])
        ours, theirs = (BeliefSearch(model, position, cards) for model in (learned.model, again))
        found, wanted = (search.search(history, board[:seen]).values for search in (theirs, ours))
        np.testing.assert_array_equal(found, wanted)
    # The loaded one goes on learning, and saves the same file.
    assert again.save(tmp_path / "again.model").read_bytes() == path.read_bytes()
    again.end_hand()
    assert again.hands != learned.model.hands


def test_a_player_starts_from_a_saved_model_and_returns_to_it(learned, file, tmp_path):
    path = learned.save(tmp_path / "caller.model")
    again = make_bot(f"vexbot2:strategy={file},model={path}")
    assert isinstance(again, Vexbot2)
    wanted = decisions(learned)
    assert decisions(again) == wanted
    played(again, AlwaysRaise(), 5)
    assert decisions(again) != wanted
    again.reset()
    assert decisions(again) == wanted


def test_what_was_learned_in_other_chips_is_saved_too(file, tmp_path):
    large = limit_holdem(small_bet=10)
    bot = Vexbot2(strategy=str(file))
    table = HandPlayer(large, [bot, AlwaysRaise()], ("bot", "opponent"))
    for deal in deals(large, 4, 0, 20):
        table.play(deal, (0, 1))
    at = view("r", "Ts9s")._replace(betting=Betting.start(large).play("r"))
    bot.seed_hand(1)
    again = Vexbot2(strategy=str(file), model=str(bot.save(tmp_path / "raiser.model")))
    again.seed_hand(1)
    assert again.can_play(large)
    assert again.explain(at) == bot.explain(at)


def spoiled(path: Path, how: str) -> None:
    content = path.read_bytes()
    if how == "cut":
        path.write_bytes(content[:-64])
    elif how == "flip":
        path.write_bytes(content[:-200] + bytes([content[-200] ^ 4]) + content[-199:])
    elif how == "empty":
        path.write_bytes(b"")
    else:
        path.write_text("no model\n")


@pytest.mark.parametrize("how", ["cut", "flip", "empty", "text"])
def test_a_damaged_model_is_refused(learned, strategy, tmp_path, how):
    path = learned.model.save(tmp_path / "caller.model")
    spoiled(path, how)
    with pytest.raises(RailbirdError, match=r"caller\.model' is (damaged|not a file of)") as error:
        HoldingModel.load(path, strategy)
    assert "\n" not in str(error.value)
    assert "save the model again" in str(error.value)


def rewritten(path: Path, version: int = holding_model.VERSION, what: str = "holding model", **changed) -> None:
    tables = {
        name: np.array(table) for name, table in map_tables(path, "holding model", holding_model.VERSION, "").items()
    }
    write_tables(
        path, what, version, {name: table for name, table in {**tables, **changed}.items() if table is not None}
    )


def test_other_versions_kinds_and_shapes_are_refused(learned, strategy, tmp_path):
    path = tmp_path / "caller.model"
    for changes, message in (
        ({"version": holding_model.VERSION + 1}, f"has version {holding_model.VERSION + 1} of the holding model"),
        ({"version": 0}, "has version 0 of the holding model"),
        ({"what": "buckets"}, "holds 'buckets', not 'holding model'"),
        ({"seen": None}, "is damaged: 'seen'"),
        ({"about": np.frombuffer(b"{}", np.uint8)}, "is damaged"),
        ({"about": np.frombuffer(b"[1]", np.uint8)}, "is damaged"),
        ({"about": np.frombuffer(b"nothing", np.uint8)}, "is damaged"),
        ({"shown": np.zeros((3, 3))}, "other classes of betting"),
        ({"known": np.zeros(1)}, "other classes of betting"),
    ):
        learned.model.save(path)
        rewritten(path, **changes)
        with pytest.raises(RailbirdError, match=message) as error:
            HoldingModel.load(path, strategy)
        assert "\n" not in str(error.value)
    with pytest.raises(RailbirdError, match=r"cannot read the model .*nowhere"):
        HoldingModel.load(tmp_path / "nowhere", strategy)


def test_a_model_around_another_strategy_is_refused(learned, tmp_path):
    path = learned.model.save(tmp_path / "caller.model")
    for other in (made_strategy(1, cap=3), made_strategy(2)):
        with pytest.raises(RailbirdError, match="around another strategy or game"):
            HoldingModel.load(path, other)


def test_a_player_does_not_start_from_a_damaged_model(learned, file, tmp_path):
    # A bot that fails in `act` checks or folds; so this must be found before a match begins.
    path = learned.save(tmp_path / "caller.model")
    spoiled(path, "cut")
    with pytest.raises(RailbirdError, match="is damaged"):
        make_bot(f"vexbot2:strategy={file},model={path}").prepare()


def test_bad_models_are_refused(strategy):
    for memory, floor in ((0.5, 0.02), (100.0, 0.0), (100.0, 1.0)):
        with pytest.raises(RailbirdError, match="a memory of"):
            HoldingModel(strategy, memory, floor)


# The switcher


class Noting(Bot):
    """Notes which hooks were called, and for which hand."""

    learns = True

    def __init__(self) -> None:
        self.heard: list[tuple[str, int]] = []
        self.resets = 0

    def act(self, view):
        self.heard.append(("act", view.hand_number))
        return view.smallest_raise() if view.can_raise and self.rng.random() < 0.5 else view.legal_actions[-1]

    def on_hand(self, view):
        self.heard.append(("on_hand", view.hand_number))

    def on_action(self, view, position, action):
        self.heard.append(("on_action", view.hand_number))

    def on_board(self, view):
        self.heard.append(("on_board", view.hand_number))

    def on_showdown(self, view, shown):
        self.heard.append(("on_showdown", view.hand_number))

    def on_result(self, view, payoffs):
        self.heard.append(("on_result", view.hand_number))

    def reset(self):
        self.resets += 1


def test_each_style_is_played_in_its_turn_and_hears_of_its_hands():
    switcher = Switcher(every=5, styles="always-call+always-raise+always-fold")
    noting = [Noting(), Noting(), Noting()]
    switcher.bots = noting  # type: ignore[misc]
    assert switcher.learns
    played(switcher, AlwaysCall(), 32)
    for style, bot in enumerate(noting):
        hands = {hand for _, hand in bot.heard}
        assert hands == {hand for hand in range(32) if hand // 5 % 3 == style}
        called = Counter(name for name, _ in bot.heard)
        assert called["on_hand"] == called["on_result"] == len(hands)
        assert min(called[name] for name in ("act", "on_action", "on_board", "on_showdown")) > 0
    switcher.reset()
    assert [bot.resets for bot in noting] == [1, 1, 1]


def test_styles_act_as_they_would_alone():
    switcher = Switcher(every=10, styles="always-call+always-raise+always-fold")
    kinds = "crf"
    for hand in (0, 9, 10, 19, 20, 29, 30, 1009):
        at = view("r", "AdQc", hand=hand)
        assert switcher.act(at).kind == kinds[hand // 10 % 3]
    assert not switcher.learns
    assert Switcher(styles="always-call+vexbot").learns


def test_a_switcher_gives_the_same_bytes_for_one_worker_and_two(tmp_path):
    spec = MatchSpec(GAME, ("switcher:every=7,styles=always-raise+random+always-call", "random"), 60, 3, True)
    assert not spec.is_compiled
    spec = replace(spec, block_hands=10)
    logs = []
    for workers in (1, 2):
        path = tmp_path / str(workers)
        result = run_matches([MatchFolder.create(path, spec)], workers)[0]
        assert not result.faults
        logs.append([file.read_bytes() for file in sorted(path.glob("*.log"))])
    assert logs[0] == logs[1]


def test_a_switcher_is_fit_to_play():
    report = check_bot("switcher:every=3,styles=always-raise+random+always-call", budget_seconds=5)
    assert report.ok, report.findings


def test_switchers_that_make_no_sense_are_refused():
    for text, message in (("every=0", "every=0"), ("styles=always-call", "two bots or more"), ("every=x", "every=x")):
        with pytest.raises(UnknownBotError, match=message):
            make_bot(f"switcher:{text}")
    with pytest.raises(UnknownBotError, match="no bot 'nobody'"):
        make_bot("switcher:styles=always-call+nobody").can_play(GAME)
    assert not make_bot("switcher:styles=always-call+vexbot").can_play(limit_holdem(3))
    assert make_bot("switcher:styles=always-call+vexbot").can_play(GAME)
