"""One assessed hand as HTML: street by street what was played, what the baseline plays, and what each is worth."""

from __future__ import annotations

from railbird.assess.replay import Step, hand_steps
from railbird.assess.summary import PairSummary
from railbird.game.record import HandRecord
from railbird.game.showdown import showdown_rank
from railbird.odds.ranks import rank_name
from railbird.report.cards_html import cards_html
from railbird.results.page import Html, element, joined, table
from railbird.words import signed

_VERBS = {"k": "checks", "b": "bets", "c": "calls", "r": "raises", "f": "folds"}


def replay_html(summary: PairSummary, index: int, anchor: str) -> Html:
    """A hand of a pair of players, closed until somebody opens it or follows a link to `anchor`.

    Values are those of the pair's first player. Of an ensemble of settings the first is shown.
    """
    found = summary.assessments[0]
    sign = float(summary.sign[index])
    record, steps = hand_steps(found, index)
    money, skill = sign * float(found.money[index]), sign * float(found.divat[index])
    luck, position = sign * float(found.luck[index].sum()), sign * found.position
    hands = summary.hands
    where = f"{hands.files[int(hands.file[index])]}:{int(hands.line[index])}"
    return element(
        "details",
        element(
            "summary",
            f"Hand {record.number}: money {signed(money, 2)}, DIVAT {signed(skill, 2)}, luck {signed(luck, 2)}",
        ),
        element(
            "div",
            element("p", where, class_="note"),
            _seats(record),
            *[_street_html(record, step, street, sign, summary.first) for street, step in enumerate(steps)],
            _end(record),
            element(
                "p",
                f"For {summary.first}: money {signed(money)} = DIVAT {signed(skill)}, luck {signed(luck)} and "
                f"position {signed(position)} together.",
            ),
        ),
        id=anchor,
    )


def words_of(letters: str, names: tuple[str, str]) -> str:
    """A street's actions of the thesis' letters in words. Capitals are the button's; the blinds are left out.

    >>> words_of("kBrC", ("Ann", "Bob"))
    'Ann checks, Bob bets, Ann raises, Bob calls'
    """
    actions = letters[2:] if letters[:2] in ("Sl", "sL") else letters
    return ", ".join(f"{names[int(letter.isupper())]} {_VERBS[letter.lower()]}" for letter in actions)


def _seats(record: HandRecord) -> Html:
    small = min(record.game.blinds)
    rows = []
    for position, name in enumerate(record.names):
        blind = "small blind" if record.game.blinds[position] == small else "big blind"
        role = f"button, {blind}" if position else f"{blind}, first to act after the flop"
        rows.append(element("p", cards_html(record.holes[position]), " ", element("b", name), f" ({role})"))
    return joined(rows)


def _street_html(record: HandRecord, step: Step, street: int, sign: float, first: str) -> Html:
    names = (record.names[0], record.names[1])
    new = record.board_on(street)[len(record.board_on(street - 1)) if street else 0 :]
    lies = record.board_on(street - 1) if street else ()
    board = joined([cards_html(lies), " ", cards_html(new)]) if new else Html("")
    ranks = table(
        ("", "IHR", "7cHR", "EHR", "class"),
        [
            (name, f"{float(rank.ihr):.4f}", f"{float(rank.seven_card):.4f}", f"{float(ehr):.4f}", category)
            for name, rank, ehr, category in zip(names, step.ranks, step.ehr, step.classes)
        ],
    )
    played, baseline = _marked(step.played, step.baseline)
    values = f"played {signed(sign * step.value)}, baseline {signed(sign * step.baseline_value)}, difference "
    facts: list[tuple[str, str]] = [
        ("played", joined([element("code", played), " ", words_of(step.played, names)])),
        ("baseline", joined([element("code", baseline), " ", words_of(step.baseline, names)])),
        (f"value for {first}", joined([values, _coloured(sign * step.difference)])),
        ("luck of these cards", _coloured(sign * step.luck)),
        ("red-green points", _points(step, names)),
    ]
    described = element("dl", *[joined([element("dt", term), element("dd", fact)]) for term, fact in facts])
    pot = next(node.pot for node, _ in record.steps() if node.street == street) / record.game.small_bet
    title = element("h4", f"{step.street.capitalize()} ", board, element("span", f" pot {pot:g} sb", class_="note"))
    return element("div", title, ranks, described, class_="street")


def _marked(played: str, baseline: str) -> tuple[Html, Html]:
    """Both sequences, with the first action that differs marked."""
    at = next((at for at, (one, other) in enumerate(zip(played, baseline)) if one != other), None)
    if at is None:
        return Html(played), Html(baseline)

    def marked(letters: str) -> Html:
        return joined([letters[:at], element("mark", letters[at]), letters[at + 1 :]])

    return marked(played), marked(baseline)


def _points(step: Step, names: tuple[str, str]) -> str:
    if step.deviator < 0:
        return "nobody left the baseline"
    points = step.difference if step.deviator == 0 else -step.difference
    return joined([f"{names[step.deviator]} left the baseline first: ", _coloured(points)])


def _coloured(value: float) -> Html:
    kind = "gain" if round(value, 3) > 0 else "loss" if round(value, 3) < 0 else "even"
    return element("b", signed(value), class_=kind)


def _end(record: HandRecord) -> Html:
    final = record.final()
    if not final.is_showdown:
        winner = final.live[0]
        return element("p", f"{record.names[1 - winner]} folded; {record.names[winner]} won {_won(record)}.")
    shown = [
        f"{name} has {rank_name(showdown_rank(record.game, hole, record.board))}"
        for name, hole in zip(record.names, record.holes)
    ]
    won = max(record.payoffs)
    result = f"{record.names[record.payoffs.index(won)]} won {_won(record)}" if won else "the pot was split"
    return element("p", f"Showdown: {'; '.join(shown)}; {result}.")


def _won(record: HandRecord) -> str:
    won = max(record.payoffs)
    return f"{won / record.game.small_bet:g} sb ({won:,} chips)"
