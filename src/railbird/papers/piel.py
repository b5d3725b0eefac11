"""The data of Piël's figures 5.1 and 5.2 (2006, section 5.1), and what he had no time to look at.

Figure 5.1 shows the weights that Yoki's models give to the three playing styles, by place in the order of holdings.
Figure 5.2 shows the money of four players over a simulation; the loose one is far ahead. (The text refers to both as
figure 5.2; the captions tell them apart.) Here TIGHT, LOOSE, DEFAULT and Yoki itself play in a ring. To this comes how
well the models predict the holdings that are shown, hand by hand: with frequencies alone, with exposed cards too, and
without any model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.bots.potential_player import PotentialPlayer
from railbird.bots.registry import BotSpec
from railbird.game.record import HandRecord
from railbird.game.spec import limit_holdem
from railbird.modeling.accuracy import Accuracy, Model, Uniform, measured
from railbird.modeling.frequencies import CALL, FOLD, RAISE, Frequencies
from railbird.modeling.sigmoid import SigmoidModel, sigmoid_weights
from railbird.play.dealing import deals
from railbird.play.hand import HandPlayer
from railbird.play.seating import seating
from railbird.randomness import derived_seed

Array = NDArray[np.float64]
PLAYERS = ("yoki-tight", "yoki-loose", "yoki-default", "yoki")
TIGHTER = (
    "yoki-tight:fold_below=0.9,bet_above=0.97",
    "yoki-loose:fold_below=0.5,bet_above=0.6",
    "yoki-default:fold_below=0.75,bet_above=0.85",
    "random",
)
"""The same styles with other parameters, which Piël does not print: among these LOOSE wins, as in figure 5.2."""
MODELS: dict[str, Callable[[], Model]] = {
    "no model": Uniform,
    "frequencies": lambda: SigmoidModel(exposed=False),
    "frequencies and exposed cards": lambda: SigmoidModel(exposed=True),
    "frequencies by context": lambda: SigmoidModel(contexts=True, exposed=False),
    "frequencies by context and exposed cards": lambda: SigmoidModel(contexts=True, exposed=True),
}
_ACTIONS = {"fold": FOLD, "call": CALL, "raise": RAISE}


@dataclass(frozen=True)
class ModelledStyle:
    """What Yoki knows of a player after the simulation: one set of curves of figure 5.1."""

    name: str
    proportion: Frequencies
    """How often it folds, calls and raises."""
    weights: dict[str, Array]
    """By action, the weights of Piël's list of 364 entries, the worst first."""
    call_score: float
    raise_score: float
    """The average percentiles at which it called, and bet or raised, in hands it showed; nan if there were none."""


@dataclass(frozen=True)
class YokiStudy:
    """The series of both figures, and the predictions."""

    players: tuple[str, ...]
    money: Array
    """Small bets won so far, by hand (from 1) and player: figure 5.2."""
    styles: tuple[ModelledStyle, ...]
    """Figure 5.1."""
    accuracy: dict[str, Accuracy]
    """By model, the predictions of holdings shown and of actions."""

    def learning_curve(self, model: str, parts: int = 5) -> list[tuple[float, float]]:
        """How many bits better than by no model shown holdings are predicted, with 95% margins, by parts of the log."""
        curve = []
        for part in range(parts):
            since, until = part / parts, (part + 1) / parts
            baseline = self.accuracy["no model"].only(since=since, until=until)
            gain = self.accuracy[model].only(since=since, until=until).holding_gain(baseline)
            curve.append((gain.mean, gain.margin))
        return curve


def yoki_study(
    hands: int = 1_000, seed: int = 1, players: Sequence[str] = PLAYERS, watch: Callable[[int, int], None] | None = None
) -> YokiStudy:
    """Play `hands` hands of limit hold'em between `players`, and let every model watch them.

    `watch` is called with the hands that were played or watched and how many there will be.
    """
    total = hands * (1 + len(MODELS))
    records: list[HandRecord] = []
    won = np.zeros((hands, len(players)))
    for record, order in _played(hands, seed, players):
        won[len(records), order] = record.payoffs
        records.append(record)
        if watch:
            watch(len(records), total)
    accuracy = {}
    for index, (name, model) in enumerate(MODELS.items()):
        seen = hands * (1 + index)
        told = (lambda done, seen=seen: watch(seen + done, total)) if watch else None
        accuracy[name] = measured(model, [records], hands, name, told)
    small_bet = limit_holdem(len(players)).small_bet
    return YokiStudy(
        tuple(BotSpec(name).label for name in players),
        won.cumsum(axis=0) / small_bet,
        _modelled(records, players),
        accuracy,
    )


def _modelled(records: Sequence[HandRecord], players: Sequence[str]) -> tuple[ModelledStyle, ...]:
    """What a model that watched these hands knows of the players that look at their potential hand alone."""
    model = SigmoidModel()
    for record in records:
        model.begin(record.names)
        for node, action in record.steps():
            model.observe(node, record.board_on(node.street), action)
        final = record.final()
        if final.is_showdown:
            model.observe_showdown({position: record.holes[position] for position in final.live})
    assert model.exposed is not None
    found = []
    for player in players:
        spec = BotSpec(player)
        if issubclass(spec.load(), PotentialPlayer):
            name = spec.label
            proportion = model.proportion(name)
            weights = {action: sigmoid_weights(proportion, kind) for action, kind in _ACTIONS.items()}
            averages = [model.exposed.average(name, kind) for kind in (CALL, RAISE)]
            calls, raises = (average.mean if average.count else float("nan") for average in averages)
            found.append(ModelledStyle(name, proportion, weights, calls, raises))
    return tuple(found)


def _played(hands: int, seed: int, players: Sequence[str]) -> Iterator[tuple[HandRecord, list[int]]]:
    """The hands, each with the player at each position; the button moves one seat each hand."""
    game = limit_holdem(len(players))
    bots = [BotSpec(name).make() for name in players]
    for bot in bots:
        bot.prepare()
    labels = [BotSpec(name).label for name in players]
    table = HandPlayer(game, bots, labels)
    seats = seating(len(players), duplicate=False)
    bot_seed = derived_seed(seed, "bots")
    for deal in deals(game, seed, 0, hands):
        order = list(seats.order(0, deal.number))
        for seat, bot in enumerate(bots):
            bot.seed_hand(bot_seed, deal.number, 0, seat)
        history, chips = table.play(deal, order)
        board = deal.board[: game.board_seen(history.count("/"))]
        names = tuple(labels[player] for player in order)
        yield HandRecord(game, deal.number, names, deal.holes, board, history, chips), order
