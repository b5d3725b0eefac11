"""The kernel that holds hands of any game against the rules, beside the rules themselves."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from railbird.errors import RailbirdError
from railbird.formats.acpc import parse_game
from railbird.game.betting import Betting
from railbird.game.quick_check import keeps_rules
from railbird.game.record import HandRecord
from railbird.game.spec import (
    Game,
    kuhn_poker,
    leduc_poker,
    limit_holdem,
    no_limit_holdem,
    pot_limit_holdem,
    spread_limit_holdem,
)
from railbird.game.telling import Telling

KUHN_3P = parse_game(
    "limit numPlayers=3 numRounds=1 blind=1 1 1 raiseSize=1 firstPlayer=1 maxRaises=1 numSuits=1 numRanks=4 "
    "numHoleCards=1 numBoardCards=0"
)
GAMES = {
    "limit": limit_holdem(),
    "limit 6": limit_holdem(6),
    "short limit 4": replace(limit_holdem(4), stacks=(3, 9, 17, 6)),
    "missed blinds": replace(limit_holdem(3), blinds=(1, 2, 2), dead=(0, 0, 1), stacks=(50, 9, 2)),
    "no-limit": no_limit_holdem(stack=1_000),
    "short no-limit 5": replace(no_limit_holdem(5, ante=7), stacks=(300, 60, 2_000, 450, 5)),
    "big blind ante": replace(no_limit_holdem(3), dead=(0, 100, 0), stacks=(800, 90, 1_500)),
    "pot-limit 3": replace(pot_limit_holdem(3), stacks=(20_000, 700, 5_000)),
    "spread-limit 4": replace(spread_limit_holdem(4), stacks=(40, 40, 12, 90)),
    "free fold": replace(limit_holdem(3), free_fold=True),
    "ten seats": replace(no_limit_holdem(10), stacks=tuple(range(100, 2_100, 200))),
    "kuhn": kuhn_poker(),
    "kuhn 3": KUHN_3P,
    "leduc": leduc_poker(),
}


def random_hand(game: Game, random: Random) -> HandRecord:
    """A hand played by chance, of which some cards may be hidden, with the payoffs that the rules give."""
    node = Betting.start(game)
    while not node.is_over:
        actions = node.legal_actions()
        weights = [1 if str(action) == "f" else 4 if str(action) == "c" else 2 for action in actions]
        node = node.after(random.choices(actions, weights)[0])
    deck = list(game.deck)
    random.shuffle(deck)
    holes = tuple(tuple(deck.pop() for _ in range(game.hole_cards)) for _ in range(game.seats))
    board = tuple(deck.pop() for _ in range(game.board_seen(node.street)))
    record = HandRecord(game, 1, tuple("abcdefghij"[: game.seats]), holes, board, node.history, (0,) * game.seats)
    return replace(record, payoffs=record.replayed_payoffs())


def holds(record: HandRecord) -> bool:
    try:
        record.check()
    except RailbirdError:
        return False
    return True


@pytest.mark.parametrize("name", GAMES)
def test_good_hands_are_taken_and_changed_ones_judged_as_the_rules_judge_them(name):
    game, random = GAMES[name], Random(name)
    taken = 0
    for _ in range(150):
        hand = random_hand(game, random)
        assert keeps_rules(hand), hand
        letters = list(hand.history)
        at = random.randrange(len(letters))
        letters[at : at + random.randrange(2)] = random.choice(["f", "c", "r", "/", "", "r9", "0", "1", "r100"])
        swapped = list(hand.payoffs)
        swapped[random.randrange(game.seats)] += random.choice((-1, 0, 1))
        card = random.choice(game.deck)
        for changed in (
            replace(hand, history="".join(letters)),
            replace(hand, payoffs=tuple(swapped)),
            replace(hand, board=hand.board[:-1]),
            replace(hand, board=(*hand.board[:-1], card)),
            replace(hand, payoffs=hand.payoffs[::-1]),
        ):
            is_taken = keeps_rules(changed)
            assert is_taken <= holds(changed), changed
            taken += is_taken
    assert taken > 10


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.hole_cards == 2])
def test_told_hands_with_hidden_cards_and_rake_are_judged_alike(name):
    game, random = GAMES[name], Random(f"told {name}")
    agreed = {True: 0, False: 0}
    for _ in range(150):
        hand = random_hand(game, random)
        holes = tuple(hole if random.random() < 0.7 else () for hole in hand.holes)
        winner = max(range(game.seats), key=lambda p: hand.payoffs[p])
        rake = random.choice((0, 1, 2))
        won = list(hand.payoffs)
        won[winner if random.random() < 0.8 else random.randrange(game.seats)] -= rake
        if random.random() < 0.2:
            won[0], won[1] = won[1], won[0]
        shown = tuple(random.random() < 0.3 for _ in holes) if random.random() < 0.3 else ()
        told = Telling("room", rake=rake, shown=shown)
        record = replace(hand, holes=holes, payoffs=tuple(won), telling=told)
        assert keeps_rules(record) == holds(record), record
        agreed[holds(record)] += 1
    assert min(agreed.values()) > 10


def test_cards_that_were_shown_must_be_known_and_a_beaten_hand_wins_nothing():
    hand = HandRecord(limit_holdem(), 7, ("Ann", "Bob"), ((0, 1), ()), (10, 20, 30, 40, 50), "cc/cc/cc/cc", (-2, 2))
    replace(hand, telling=Telling("room")).check()
    with pytest.raises(RailbirdError, match="hand 7: Bob showed cards that are not known"):
        replace(hand, telling=Telling("room", shown=(True, True))).check()
    with pytest.raises(RailbirdError, match="a rake of 1, of a pot of 4"):
        replace(hand, telling=Telling("room", rake=1)).check()
    known = replace(hand, holes=((51, 49), (4, 9)), telling=Telling("room"))
    with pytest.raises(RailbirdError, match="Ann won -2, but the cards and actions give 2"):
        known.check()
