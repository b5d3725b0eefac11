"""Trains a small agent by policy gradient, then measures it: python examples/train_agent.py

The agent tells ten classes of hands apart (by strength; before the flop by the usual order of holdings), the street,
the bets on it, and whether there is something to call: 400 places, each with a weight for fold, call and raise. It
plays the bot of `--against` at many tables at once, and after each hand the weights of what it did move by what the
hand won above what was usual there (REINFORCE with a baseline, Williams 1992). A few minutes on one core:

    python examples/train_agent.py --steps 4000 --against equilibrium

Needs: pip install 'railbird[gymnasium]'
"""

from __future__ import annotations

import argparse

import numpy as np

import railbird as rb
from railbird.envs import HoldemTables, observation
from railbird.game.betting_tree import BettingTree

CLASSES, LONGEST = 10, 24
TENTHS = [rb.parse_range(f"{percent}%") for percent in range(10, 100, 10)]
PREFLOP = np.sum(TENTHS, axis=0).astype(int)  # by holding: 9 for the best tenth, 0 for the worst
PLACES = (4, 5, 2, CLASSES)


def hand_classes(rows):
    """By observation, the class of the hand."""
    cards = np.nonzero(rows[:, :52])[1].reshape(-1, 2)
    found = PREFLOP[cards[:, 1] * (cards[:, 1] - 1) // 2 + cards[:, 0]]
    for street, count in enumerate((3, 4, 5), 1):
        here = rows[:, 104 + street] > 0
        if here.any():
            boards = np.nonzero(rows[here, 52:104])[1].reshape(-1, count)
            strength = rb.strengths(boards, holdings=cards[here])
            found[here] = np.minimum(strength * CLASSES, CLASSES - 1).astype(int)
    return found


def places(rows):
    """By observation, the number of its place in the table of weights."""
    street = rows[:, 104:108].argmax(axis=1)
    raises = rows[:, 114:122].reshape(-1, 4, 2)[np.arange(len(rows)), street].sum(axis=1) * 4
    facing = rows[:, -2] > 0
    at = (street, raises.round().astype(int), facing.astype(int), hand_classes(rows))
    return np.ravel_multi_index(at, PLACES)


def chances(weights, masks):
    """Softmax over the legal actions."""
    powers = np.exp(weights - weights.max(axis=1, keepdims=True)) * masks
    return powers / powers.sum(axis=1, keepdims=True)


class Trained(rb.Bot):
    """Plays by a table of weights."""

    def __init__(self, weights):
        self.weights = weights

    def act(self, view):
        at = places(observation(view)[None])
        triple = rb.ProbabilityTriple(*chances(self.weights[at], np.ones(3))[0])
        kind = triple.pick(view.can_fold, view.can_raise, self.rng.random())
        return {"f": rb.FOLD, "c": rb.CALL, "r": rb.RAISE}[kind]

    def table_policy(self, game):
        """The same for a best response: weights by decision and class, and the class of each holding."""
        tree, tables = BettingTree.of(game), []
        for nodes in tree.decisions:
            bettings = [rb.Betting.start(game).play(tree.history[node]) for node in nodes]
            at = [np.ravel_multi_index((b.street, b.raises, int(b.to_call > 0), 0), PLACES) for b in bettings]
            rows = np.array(at)[:, None] + np.arange(CLASSES)
            tables.append(np.exp(self.weights[rows] - self.weights[rows].max(axis=2, keepdims=True)))
        return rb.TablePolicy(game, tables, buckets)


def buckets(street, boards):
    if not street:
        return np.broadcast_to(PREFLOP, (len(boards), len(PREFLOP)))
    strength = np.nan_to_num(rb.strengths(boards).reshape(len(boards), -1))
    return np.minimum(strength * CLASSES, CLASSES - 1).astype(int)


def train(against, game, steps, tables, seed, rate=0.05):
    """The weights after that many decisions at each table, and what the last quarter of the hands won."""
    env, random = HoldemTables(against, tables=tables, game=game), np.random.default_rng(seed)
    weights, usual, won = np.zeros((np.prod(PLACES), 3)), np.zeros(np.prod(PLACES)), []
    done, every = np.zeros((tables, LONGEST, 2), int), np.arange(tables)
    length = np.zeros(tables, int)
    rows, info = env.reset(seed=seed)
    for step in range(steps):
        at, masks = places(rows), info["action_mask"]
        drawn = (chances(weights[at], masks).cumsum(axis=1) < random.random(tables)[:, None]).sum(axis=1)
        actions = np.minimum(drawn, 2)
        done[every, length] = np.stack([at, actions], axis=1)
        length += 1
        rows, rewards, ended, _, info = env.step(actions)
        hands = np.flatnonzero(ended)
        took = np.arange(LONGEST) < length[hands, None]
        (at, actions), gains = done[hands][took].T, np.repeat(rewards[hands], length[hands])
        length[hands] = 0
        push = -chances(weights[at], np.ones(3))
        push[np.arange(len(at)), actions] += 1
        np.add.at(weights, at, rate / 16 * (gains - usual[at])[:, None] * push)
        counts = np.bincount(at, minlength=len(usual))
        usual += 0.05 * (np.bincount(at, gains, len(usual)) / np.maximum(counts, 1) - usual) * (counts > 0)
        if step >= steps * 3 // 4:
            won.extend(rewards[hands])
    return weights, float(np.mean(won))


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--against", default="always-call", help="a bot that a kernel can play")
    parser.add_argument("--game", default="limit", help="limit, or with another cap on bets: limit:cap=1")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--tables", type=int, default=512)
    parser.add_argument("--hands", type=int, default=2000, help="of the comparison")
    parser.add_argument("--flops", type=int, default=2, help="of the best response, half a minute each")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(words)
    weights, won = train(asked.against, asked.game, asked.steps, asked.tables, asked.seed)
    print(f"in training, last quarter: {won:+.3f} sb/hand against {asked.against} (hands in which it was asked)\n")
    trained = Trained(weights)
    same = {"game": asked.game, "seed": asked.seed + 1}
    print(rb.compare_bots(trained, "random", against=asked.against, hands=asked.hands, **same), "\n")
    for bot in ("random", trained):  # untrained it plays at random
        print(rb.exploitability(bot, flops=asked.flops, **same), "\n")
    return weights


if __name__ == "__main__":
    main()
