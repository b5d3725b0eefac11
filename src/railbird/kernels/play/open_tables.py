"""Many tables of limit hold'em at once, each played on until an agent is asked for a decision.

The others follow three probabilities, or heads-up a strategy table, as in `whole_hands`, by the same rules and with the
same random numbers: table t of n plays hands t, t + n, t + 2 n, ... of the match. What the agent is shown of each table
is the row that `railbird.envs.observations` describes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.classes import CLASS_COUNT
from railbird.kernels.cards.ranking import EMPTY_KEY, Ranking, rank_of_key
from railbird.kernels.cards.splitmix import GOLDEN, mix, unit
from railbird.kernels.compiling import kernel
from railbird.kernels.play.decks import hand_stream, shuffle_front
from railbird.kernels.play.whole_hands import Players, Rules, table_chances
from railbird.kernels.solve.buckets import holding_bucket

FOLD, CALL, RAISE = 0, 1, 2
STREET, TURN, LEVEL, RAISES, LEFT, NODE, AGENT, ROW = range(8)
"""What `Batch.state` holds: the street, whose turn it is (-1 when the hand is over), what everybody has to match, the
street's raises, how many have not folded, the node of the betting tree, the agent's position, the seating's row."""
STATE_SIZE = 8
_MOST_COUNTED = 4


class Seats(NamedTuple):
    """Who plays, and from which numbers cards and choices follow."""

    rows: np.ndarray
    """rows[r, position] is the player there in row r; the agent is player 0. Hand h uses row h mod their number."""
    deck_seed: np.ndarray
    bot_seeds: np.ndarray


class Batch(NamedTuple):
    """The hands in progress, by table."""

    hands: np.ndarray
    """The number of the hand."""
    state: np.ndarray
    decks: np.ndarray
    """The hole cards by position, then the board."""
    streams: np.ndarray
    """By position: the state of his random numbers."""
    bets: np.ndarray
    """By position: chips put in on this street."""
    committed: np.ndarray
    """By position: chips put in in all."""
    live: np.ndarray
    waiting: np.ndarray
    """By position: whether he has still to act on this street."""
    raised: np.ndarray
    """By street and position: bets and raises."""
    buckets: np.ndarray
    """By position: the bucket of his holding on this street, -1 if it was not looked up."""


class Shown(NamedTuple):
    """What the agent is shown of each table."""

    rows: np.ndarray
    masks: np.ndarray
    rewards: np.ndarray
    """In small bets, of the hand that has just ended; 0 if none has."""
    ended: np.ndarray
    unasked: np.ndarray
    """By table: hands that ended since the last decision without one of the agent, and what they won in small bets."""


class Scale(NamedTuple):
    """Units of rewards and observations, in chips."""

    small_bet: float
    most_chips: float


class Table(NamedTuple):
    """What is the same at every table and in every hand."""

    rules: Rules
    seats: Seats
    players: Players
    scale: Scale


class Desk(NamedTuple):
    """Room to work in."""

    deck: np.ndarray
    counts: np.ndarray
    class_ranks: np.ndarray


@kernel
def _desk():
    return Desk(np.empty(52, np.uint8), np.empty(13, np.int64), np.empty(CLASS_COUNT, np.int16))


@kernel
def _begin_hand(rules: Rules, seats: Seats, batch: Batch, desk: Desk, at, hand):
    """Deal a hand at a table and post the blinds."""
    state, bets, committed = batch.state, batch.bets, batch.committed
    count = len(rules.blinds)
    deck = desk.deck
    for card in range(52):
        deck[card] = card
    shuffle_front(hand_stream(seats.deck_seed[0], hand), deck, 2 * count + 5)
    for card in range(2 * count + 5):
        batch.decks[at, card] = deck[card]
    batch.hands[at] = hand
    row = hand % seats.rows.shape[0]
    level = 0
    for position in range(count):
        player = seats.rows[row, position]
        if player == 0:
            state[at, AGENT] = position
        batch.streams[at, position] = hand_stream(seats.bot_seeds[player], hand)
        bets[at, position] = rules.blinds[position]
        committed[at, position] = rules.blinds[position] + rules.ante
        level = max(level, rules.blinds[position])
        batch.live[at, position] = True
        batch.waiting[at, position] = True
        batch.buckets[at, position] = -1
        for street in range(4):
            batch.raised[at, street, position] = 0
    state[at, STREET], state[at, LEVEL], state[at, RAISES], state[at, LEFT] = 0, level, 0, count
    state[at, NODE], state[at, ROW], state[at, TURN] = 0, row, rules.first_to_act[0]


@kernel
def _next_turn(rules: Rules, batch: Batch, at, strategies):
    """Pass the turn on, to the next street if need be; -1 when the hand is over."""
    state, waiting, seats = batch.state, batch.waiting, batch.bets.shape[1]
    if state[at, LEFT] == 1:
        state[at, TURN] = -1
        return
    turn = state[at, TURN]
    for _ in range(seats):
        turn = turn + 1 if turn + 1 < seats else 0
        if waiting[at, turn]:
            state[at, TURN] = turn
            return
    if state[at, STREET] == 3:
        state[at, TURN] = -1
        return
    state[at, STREET] += 1
    state[at, LEVEL], state[at, RAISES] = 0, 0
    for position in range(seats):
        batch.bets[at, position] = 0
        waiting[at, position] = batch.live[at, position]
        batch.buckets[at, position] = -1
    if strategies is not None:
        state[at, NODE] = strategies.tree.child[state[at, NODE], 1]
    turn = rules.first_to_act[state[at, STREET]]
    while not waiting[at, turn]:
        turn = turn + 1 if turn + 1 < seats else 0
    state[at, TURN] = turn


@kernel
def _act(rules: Rules, batch: Batch, at, strategies, chosen):
    """The player whose turn it is does this, which is legal."""
    state, bets, waiting = batch.state, batch.bets, batch.waiting
    turn, street = state[at, TURN], state[at, STREET]
    waiting[at, turn] = False
    if chosen == FOLD:
        batch.live[at, turn] = False
        state[at, LEFT] -= 1
    else:
        if chosen == RAISE:
            state[at, RAISES] += 1
            state[at, LEVEL] += rules.bet_sizes[street]
            batch.raised[at, street, turn] += 1
            for position in range(bets.shape[1]):
                waiting[at, position] = batch.live[at, position] and position != turn
        batch.committed[at, turn] += state[at, LEVEL] - bets[at, turn]
        bets[at, turn] = state[at, LEVEL]
    if strategies is not None:
        state[at, NODE] = strategies.tree.child[state[at, NODE], chosen]
    _next_turn(rules, batch, at, strategies)


@kernel
def _drawn_action(ranking: Ranking, table: Table, strategies, batch: Batch, desk: Desk, at):
    """What the player whose turn it is does, by his probabilities."""
    rules, seats, players = table.rules, table.seats, table.players
    state = batch.state
    turn, street = state[at, TURN], state[at, STREET]
    player = seats.rows[state[at, ROW], turn]
    fold, call, raise_ = players.policies[player, 0], players.policies[player, 1], players.policies[player, 2]
    if strategies is not None and players.by_table[player]:
        if batch.buckets[at, turn] < 0:
            desk.class_ranks[0] = -1
            deck = batch.decks[at]
            board = deck[2 * len(rules.blinds) :]
            batch.buckets[at, turn] = holding_bucket(
                ranking,
                strategies.buckets[player],
                deck[2 * turn],
                deck[2 * turn + 1],
                board,
                street,
                desk.counts,
                desk.class_ranks,
            )
        row = strategies.tree.row[state[at, NODE]]
        fold, call, raise_ = table_chances(strategies.codes[player][street], row, batch.buckets[at, turn])
    if state[at, LEVEL] == batch.bets[at, turn]:
        fold = 0.0
    if state[at, RAISES] >= rules.max_raises[street]:
        raise_ = 0.0
    number = 0.5
    if not players.is_pure[player]:
        batch.streams[at, turn] += GOLDEN
        number = unit(mix(batch.streams[at, turn]))
    point = number * (fold + call + raise_)
    if point < fold:
        return FOLD
    return RAISE if point >= fold + call and raise_ > 0.0 else CALL


@kernel
def _agents_chips(ranking: Ranking, batch: Batch, at):
    """What the agent has won in a hand that is over, in chips."""
    state, committed, live = batch.state, batch.committed, batch.live
    agent, seats = state[at, AGENT], batch.bets.shape[1]
    if not live[at, agent]:
        return -committed[at, agent]
    pot = 0
    for position in range(seats):
        pot += committed[at, position]
    if state[at, LEFT] == 1:
        return pot - committed[at, agent]
    board = EMPTY_KEY
    for card in range(2 * seats, 2 * seats + 5):
        board += ranking.card_keys[batch.decks[at, card]]
    best, winners, before, own = -1, 0, 0, -1
    for position in range(seats):
        if live[at, position]:
            cards = batch.decks[at, 2 * position], batch.decks[at, 2 * position + 1]
            key = board + ranking.card_keys[cards[0]] + ranking.card_keys[cards[1]]
            rank = np.int64(rank_of_key(ranking.table, key))
            if rank > best:
                best, winners, before = rank, 0, 0
            if rank == best:
                winners += 1
                before += position < agent
            if position == agent:
                own = rank
    if own < best:
        return -committed[at, agent]
    return pot // winners + (before < pot % winners) - committed[at, agent]


@kernel
def _play_on(ranking: Ranking, table: Table, strategies, batch: Batch, desk: Desk, at):
    """Let the others act until it is the agent's turn or the hand is over; whether it is over."""
    state = batch.state
    while state[at, TURN] >= 0 and state[at, TURN] != state[at, AGENT]:
        chosen = _drawn_action(ranking, table, strategies, batch, desk, at)
        _act(table.rules, batch, at, strategies, chosen)
    return state[at, TURN] < 0


@kernel
def _show(rules: Rules, batch: Batch, at, scale: Scale, shown: Shown):
    """Write down what the agent sees and may do."""
    state, row, seats = batch.state, shown.rows[at], batch.bets.shape[1]
    agent, street = state[at, AGENT], state[at, STREET]
    row[:] = 0.0
    row[batch.decks[at, 2 * agent]] = 1.0
    row[batch.decks[at, 2 * agent + 1]] = 1.0
    for card in range(street + 2 if street > 0 else 0):
        row[52 + batch.decks[at, 2 * seats + card]] = 1.0
    row[104 + street] = 1.0
    row[108 + agent] = 1.0
    first, pot = 108 + seats, 0
    for after in range(seats):
        player = agent + after if agent + after < seats else agent + after - seats
        row[first + after] = 1.0 if batch.live[at, player] else 0.0
        row[first + seats + after] = batch.committed[at, player] / scale.most_chips
        pot += batch.committed[at, player]
        for earlier in range(4):
            made = min(batch.raised[at, earlier, player], _MOST_COUNTED)
            row[first + (2 + earlier) * seats + after] = made / _MOST_COUNTED
    owed = state[at, LEVEL] - batch.bets[at, agent]
    row[first + 6 * seats] = owed / scale.most_chips
    row[first + 6 * seats + 1] = pot / (seats * scale.most_chips)
    shown.masks[at, FOLD] = owed > 0
    shown.masks[at, CALL] = 1
    shown.masks[at, RAISE] = state[at, RAISES] < rules.max_raises[street]


@kernel
def step_tables(ranking: Ranking, table: Table, strategies, batch: Batch, actions, shown: Shown):
    """Do the agent's action at every table, and play on until it is asked again, in this hand or a later one.

    `strategies` are the tables that others play by, or None (see `whole_hands.Tables`).
    An action of -1 does nothing: with it tables begin with the hand after `batch.hands`. What is not legal counts as a
    check, or else a fold.
    """
    rules, seats, scale = table.rules, table.seats, table.scale
    desk = _desk()
    count = len(actions)
    for at in range(count):
        shown.rewards[at], shown.ended[at] = 0.0, False
        shown.unasked[at, 0], shown.unasked[at, 1] = 0.0, 0.0
        is_over = actions[at] < 0
        if not is_over:
            chosen = actions[at]
            if not shown.masks[at, chosen]:
                chosen = FOLD if shown.masks[at, FOLD] else CALL
            _act(rules, batch, at, strategies, chosen)
            is_over = _play_on(ranking, table, strategies, batch, desk, at)
            if is_over:
                shown.ended[at] = True
                shown.rewards[at] = _agents_chips(ranking, batch, at) / scale.small_bet
        while is_over:
            _begin_hand(rules, seats, batch, desk, at, batch.hands[at] + count)
            is_over = _play_on(ranking, table, strategies, batch, desk, at)
            if is_over:
                shown.unasked[at, 0] += 1.0
                shown.unasked[at, 1] += _agents_chips(ranking, batch, at) / scale.small_bet
        _show(rules, batch, at, scale, shown)
