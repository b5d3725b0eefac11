"""Railbird's own protocol for programs, to and from text: one JSON object a line, "railbird-lines/1"; no processes.

What a seat may see goes out in words and numbers, and what it may do; an answer is read strictly. docs/programs.md
tells the protocol.

    {"type": "act", "hand": 17, ..., "pot": 6, "to_call": 2, "legal": [{"action": "fold"}, {"action": "call", ...}]}
    {"action": "call"}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from railbird.cards import card_text
from railbird.errors import BadAnswerError
from railbird.game.actions import CALL, FOLD, RAISE, Action, raise_to
from railbird.game.betting import Betting, split_history
from railbird.game.spec import STREETS, Game, Structure
from railbird.game.view import PlayerView
from railbird.json_files import Fields, json_of
from railbird.numbers import MOST_WHOLE, quoted, whole

PROTOCOL = "railbird-lines/1"
MOST_AT_ONCE = 64
"""Of a program that waits for something elsewhere; each is a process here."""
_Words = dict[str, Any]


class Hello(NamedTuple):
    """What a program says of itself."""

    learns: bool
    hands_at_once: int


def hello_line() -> bytes:
    """What a program is greeted with."""
    return _line({"type": "hello", "protocol": PROTOCOL})


def read_hello(line: bytes) -> Hello:
    """How a program greets back.

    >>> read_hello(b'{"type": "hello", "protocol": "railbird-lines/1", "learns": true}')
    Hello(learns=True, hands_at_once=0)
    """
    told = _told(line, f'a greeting, {{"type": "hello", "protocol": "{PROTOCOL}"}}')
    try:
        if told.text("type") != "hello" or told.text("protocol") != PROTOCOL:
            raise ValueError(f"{_quoted(line)} is no greeting of {PROTOCOL}")
        _refuse_others(told, ("type", "protocol", "learns", "hands_at_once"))
        learns = told.flag("learns") if "learns" in told.found else False
        return Hello(learns, told.whole("hands_at_once", 0, MOST_AT_ONCE) if "hands_at_once" in told.found else 0)
    except ValueError as error:
        raise BadAnswerError(str(error)) from None


def begin_line(view: PlayerView, seed: int) -> bytes:
    """A hand begins."""
    return _line({"type": "begin", **_table(view, seed)})


def act_line(view: PlayerView, seed: int) -> bytes:
    """A decision is asked for. All that the seat may know is told again, so that a program need remember nothing."""
    node = view.betting
    told = _table(view, seed)
    told |= {
        "street": STREETS[node.street],
        "board": _cards(view.board_cards),
        "betting": _betting(node, view.names),
        "history": node.history,
        "pot": node.pot,
        "to_call": node.to_call,
        "legal": legal(node),
        "words": situation(view),
    }
    return _line({"type": "act", **told})


def end_line(view: PlayerView, shown: Mapping[int, Sequence[int]], won: Sequence[int]) -> bytes:
    """A hand is over."""
    told = {
        "type": "end",
        "hand": view.hand_number,
        "you": view.position,
        "board": _cards(view.board_cards),
        "betting": _betting(view.betting, view.names),
        "history": view.betting.history,
        "shown": [{"position": p, "name": view.names[p], "cards": _cards(shown[p])} for p in sorted(shown)],
        "won": list(won),
    }
    return _line(told)


def refused_line(why: object) -> bytes:
    """An answer was none; what is done instead is a check, or else a fold."""
    return _line({"type": "refused", "why": str(why)})


def read_answer(line: bytes, node: Betting) -> Action:
    """The action that a program answers with to the player to act.

    >>> from railbird.game.spec import no_limit_holdem
    >>> node = Betting.start(no_limit_holdem()).play("cc/r300")
    >>> read_answer(b'{"action": "raise", "to": 600}', node)
    Action(kind='r', amount=700)
    >>> read_answer(b'{"action": "check"}', node)
    Traceback (most recent call last):
        ...
    railbird.errors.BadAnswerError: 'check' is not legal here: fold, call 200, raise to between 400 and 19,900
    """
    told = _told(line, 'an answer, as {"action": "call"} or {"action": "raise", "to": 300}')
    try:
        word = told.text("action")
        _refuse_others(told, ("action", "to"))
        allowed = {each["action"]: each for each in legal(node)}
        if word not in allowed:
            raise ValueError(f"{quoted(word)} is not legal here: {_legal_words(allowed.values())}")
        if word not in ("bet", "raise"):
            if "to" in told.found:
                raise ValueError(f'"to" belongs to a bet or a raise, not to a {word}')
            return FOLD if word == "fold" else CALL
        return _raise(told, node, allowed[word])
    except ValueError as error:
        raise BadAnswerError(str(error)) from None


def legal(node: Betting) -> list[_Words]:
    """What the player to act may do. Amounts of bets and raises are what lies before the player on this street then."""
    found: list[_Words] = [{"action": "fold"}] if node.can_fold else []
    found.append({"action": "call", "chips": node.to_call} if node.to_call else {"action": "check"})
    if node.can_raise:
        before = _before_street(node)
        amounts = {"least": node.min_raise_to - before, "most": node.max_raise_to - before}
        found.append({"action": "raise" if node.level else "bet", **amounts})
    return found


def situation(view: PlayerView) -> str:
    """What the seat sees, in sentences: for language models, and for whoever reads along."""
    game, node = view.game, view.betting
    seats = ", ".join(_seat_words(view, position) for position in range(game.seats))
    lines = [
        f"Hand {view.hand_number} of {_game_words(game)}. Seats, in the order of play after the first street: {seats}.",
        f"You are {view.names[view.position]} and hold {' '.join(_cards(view.hole_cards))}.",
    ]
    for street, done in enumerate(_betting(node, view.names)):
        dealt = view.board_cards[game.board_seen(street - 1) if street else 0 : game.board_seen(street)]
        cards = f" ({' '.join(_cards(dealt))})" if dealt else ""
        deeds = ", ".join(f"{each['name']} {_deed(each)}" for each in done["actions"])
        lines.append(f"{done['street'].capitalize()}{cards}: {deeds or 'nothing yet'}.")
    owed = f"it costs {node.to_call:,} to call" if node.to_call else "there is nothing to call"
    lines.append(f"The pot is {node.pot:,} and {owed}. You may: {_legal_words(legal(node))}.")
    return "\n".join(lines)


def _line(told: _Words) -> bytes:
    return json.dumps(told, ensure_ascii=False).encode() + b"\n"


def _told(line: bytes, what: str) -> Fields:
    try:
        return Fields(json_of(line), "the answer")
    except ValueError:
        raise BadAnswerError(f"{_quoted(line)} is not {what}") from None


def _quoted(line: bytes) -> str:
    return quoted(line.decode("utf-8", errors="replace"))


def _refuse_others(told: Fields, known: Sequence[str]) -> None:
    if others := [name for name in told.found if name not in known]:
        raise ValueError(f"{quoted(others[0])} means nothing here ({', '.join(known)})")


def _raise(told: Fields, node: Betting, allowed: _Words) -> Action:
    word, least, most = allowed["action"], allowed["least"], allowed["most"]
    if "to" not in told.found and least < most:
        raise ValueError(f'a {word} to how much? {{"action": "{word}", "to": {least}}}, at most {most}')
    to = whole(told.found.get("to", least), -MOST_WHOLE, MOST_WHOLE)
    if not least <= to <= most:
        raise ValueError(f"a {word} to {to:,} is not legal here: {_legal_words([allowed])}")
    return RAISE if node.game.structure is Structure.FIXED_LIMIT else raise_to(_before_street(node) + to)


def _before_street(node: Betting) -> int:
    """What the player to act has put in before this street, antes included."""
    return node.committed[node.to_act] - node.street_bets[node.to_act]


def _table(view: PlayerView, seed: int) -> _Words:
    """The game, who sits where, and this seat's cards."""
    game, node = view.game, view.betting
    return {
        "hand": view.hand_number,
        "seed": seed,
        "game": {
            "name": game.name,
            "structure": game.structure.value,
            "blinds": list(game.blinds),
            "ante": game.ante,
            "bets": list(game.bet_sizes),
            "most_raises": list(game.max_raises),
        },
        "you": view.position,
        "button": game.seats - 1,
        "players": [
            {
                "position": position,
                "name": name,
                "stack": None if game.stacks is None else game.stacks[position] - node.committed[position],
                "put_in": node.committed[position],
                "bet": node.street_bets[position],
                "folded": bool(node.folded >> position & 1),
            }
            for position, name in enumerate(view.names)
        ],
        "hole_cards": _cards(view.hole_cards),
    }


def _betting(node: Betting, names: Sequence[str]) -> list[_Words]:
    """What was done, street by street."""
    streets: list[_Words] = [{"street": STREETS[street], "actions": []} for street in range(node.street + 1)]
    at = Betting.start(node.game)
    for text in split_history(node.history):
        if text != "/":
            after, position = at.after(Action.parse(text)), at.to_act
            chips = after.committed[position] - at.committed[position]
            done: _Words = {"position": position, "name": names[position], "action": _word(at, text, chips)}
            if chips:
                done["chips"] = chips
            if text[0] == "r":
                done["to"] = at.street_bets[position] + chips
            streets[at.street]["actions"].append(done)
            at = after
    return streets


def _word(node: Betting, action: str, chips: int) -> str:
    if action[0] == "r":
        return "raise" if node.level else "bet"
    return "fold" if action == "f" else "call" if chips else "check"


def _deed(done: _Words) -> str:
    """What somebody did, as in "raises to 300"."""
    to = " to" if done["action"] == "raise" else ""
    amount = done.get("to") or done.get("chips")
    return f"{done['action']}s{to} {amount:,}" if amount else f"{done['action']}s"


def _legal_words(allowed: Iterable[_Words]) -> str:
    return ", ".join(map(_allowed_words, allowed))


def _allowed_words(allowed: _Words) -> str:
    """One thing that may be done, as in "raise to between 400 and 19,900"."""
    word = allowed["action"] + (" to" if allowed["action"] == "raise" else "")
    if "least" not in allowed:
        return f"{word} {allowed['chips']:,}" if "chips" in allowed else word
    least, most = allowed["least"], allowed["most"]
    return f"{word} {least:,}" if least == most else f"{word} between {least:,} and {most:,}"


def _game_words(game: Game) -> str:
    kind = f"{game.structure.value} hold'em" if game.is_holdem else game.name
    sizes = ", ".join(f"{STREETS[street]} {size:,}" for street, size in enumerate(game.bet_sizes))
    fixed = game.structure is Structure.FIXED_LIMIT
    ante = f", ante {game.ante:,}" if game.ante else ""
    return f"{kind}, {game.seats} players{ante}{f', bets and raises are {sizes}' if fixed else ''}"


def _seat_words(view: PlayerView, position: int) -> str:
    game, node = view.game, view.betting
    facts = ["button"] if position == game.seats - 1 else []
    if game.blinds[position]:
        facts.append(f"blind {game.blinds[position]:,}")
    if game.stacks is not None:
        facts.append(f"{game.stacks[position] - node.committed[position]:,} behind")
    if node.folded >> position & 1:
        facts.append("folded")
    return view.names[position] + (f" ({', '.join(facts)})" if facts else "")


def _cards(cards: Sequence[int]) -> list[str]:
    return [card_text(card) for card in cards]
