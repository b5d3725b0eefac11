"""What a player would call a hand: top pair, four-flush, overcards, ..."""

from __future__ import annotations

from functools import cache, lru_cache

from railbird.bots.groups import WORST_GROUP, starting_group

MADE_HANDS = (
    "nothing",
    "pair",
    "second-pair",
    "top-pair",
    "overpair",
    "two-pair",
    "trips",
    "straight",
    "flush",
    "full-house",
)
"""What a holding can have made of the board, the weakest first."""


def hand_words(hole: tuple[int, ...], board: tuple[int, ...]) -> tuple[str, ...]:
    """What the rules call a hand, the best word first.

    Before the flop it is the hand's group (see `railbird.bots.groups`) and all later ones. A made hand goes by the
    names of all worse ones too. "any" fits every hand.

    >>> from railbird.cards import parse_cards
    >>> hand_words(parse_cards("KdQd"), parse_cards("Kh7d2d"))
    ('top-pair', 'second-pair', 'pair', 'four-flush', 'any')
    >>> hand_words(parse_cards("Th9h"), ())
    ('group-4', 'group-5', 'group-6', 'group-7', 'group-8', 'any')
    """
    if not board:
        return (*[f"group-{group}" for group in range(starting_group(hole), WORST_GROUP)], "any")
    made = MADE_HANDS.index(made_hand(hole, board))
    return (*MADE_HANDS[made:0:-1], *_chances_to_improve(hole, board), "any")


def made_hand(hole: tuple[int, ...], board: tuple[int, ...]) -> str:
    """The hand that the hole cards make on the board; what lies on the board already counts as nothing.

    A pair smaller than the board's highest card is a second pair if it beats the board's second card.

    >>> from railbird.cards import parse_cards
    >>> [made_hand(parse_cards(text), parse_cards("Qs8h8d3c")) for text in ("QdJc", "KdKc", "8cAs", "9c9d", "AdKd")]
    ['top-pair', 'overpair', 'trips', 'second-pair', 'nothing']
    """
    own, on_board = [card >> 2 for card in hole], [card >> 2 for card in board]
    times = sorted([(own + on_board).count(rank) for rank in own])
    if _is_full([*own, *on_board]) and (times[1] >= 3 or not _is_full(on_board)):
        return "full-house"
    if _most_suited(hole, board) >= 5:
        return "flush"
    if _straights(_rank_bits(own), _rank_bits(on_board))[0]:
        return "straight"
    if times[1] == 3:
        return "trips"
    if times[1] == 1:
        return "nothing"
    if own[0] != own[1] and times[0] == 2:
        return "two-pair"
    pair = own[0] if own[0] == own[1] else next(rank for rank in own if rank in on_board)
    top, second, *_ = [*sorted(set(on_board), reverse=True), -1]
    if pair >= top:
        return "overpair" if own[0] == own[1] else "top-pair"
    return "second-pair" if pair >= second else "pair"


def _chances_to_improve(hole: tuple[int, ...], board: tuple[int, ...]) -> list[str]:
    """The words for draws and high cards; straights and flushes that the board makes for everybody do not count."""
    own, on_board = [card >> 2 for card in hole], [card >> 2 for card in board]
    words = []
    if len(board) < 5:
        if _most_suited(hole, board) == 4:
            words.append("four-flush")
        if outs := _straights(_rank_bits(own), _rank_bits(on_board))[1]:
            words.append("gutshot" if outs == 1 else "open-straight")
    if min(own) > max(on_board):
        words.append("overcards")
    if 12 in own:
        words.append("ace-high")
    return words


def _is_full(ranks: list[int]) -> bool:
    """Whether the ranks hold a full house or four of a kind."""
    times = sorted([ranks.count(rank) for rank in set(ranks)], reverse=True)
    return times[0] == 4 or (times[0] == 3 and len(times) > 1 and times[1] >= 2)


def _most_suited(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """How many cards of one suit there are, of a suit that is held."""
    suits = [card & 3 for card in hole + board]
    return max(suits.count(suits[0]), suits.count(suits[1]))


def _rank_bits(ranks: list[int]) -> int:
    bits = 0
    for rank in ranks:
        bits |= 2 << rank
    return bits


@lru_cache(maxsize=4096)
def _straights(own: int, on_board: int) -> tuple[bool, int]:
    """Whether ranks make a better straight on a board than it has, and how many ranks would make them one."""
    now = _straight_top(own | on_board)
    outs = [
        rank
        for rank in range(13)
        if _straight_top(own | on_board | 2 << rank) > max(now, _straight_top(on_board | 2 << rank))
    ]
    return now > _straight_top(on_board), len(outs)


@cache
def _straight_top(bits: int) -> int:
    """The highest rank of the best straight, 0 if there is none; the ace is also the lowest card."""
    bits |= bits >> 13 & 1
    lowest_cards = bits & bits >> 1 & bits >> 2 & bits >> 3 & bits >> 4
    return lowest_cards.bit_length() + 2 if lowest_cards else 0
