"""The report of an assessment as one self-contained HTML page, and its pictures as PNG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.assess.leaks import KINDS, leaks
from railbird.assess.pictures import inline_svg, pictures
from railbird.assess.settings import STANDARD
from railbird.assess.summary import MEASURES, PairSummary
from railbird.files import write_whole
from railbird.formats.hand_arrays import HandArrays
from railbird.game.spec import STREETS
from railbird.report.cards_html import cards_html
from railbird.report.explanations import measures_html, problems_html, settings_html
from railbird.report.replay_page import replay_html
from railbird.results.figures import check_drawing, draw
from railbird.results.page import Html, element, interval, joined, table, whole_page
from railbird.statistics import Estimate
from railbird.words import count_of, rate, roughly, signed, unsigned

MOST_PAIRS = 20
"""Pairs of players with a section of their own."""
_MOST_FILES = 10


def write_report(path: Path, summaries: Sequence[PairSummary], hands: HandArrays) -> Path:
    """Write the report of `summaries`, which come from `hands`, as one HTML file. Returns its path."""
    check_drawing()
    page = report_page(summaries, hands).encode("utf-8", errors="replace")  # file names need not be text
    return write_whole(path, page)


def write_picture(path: Path, summary: PairSummary) -> Path:
    """Write the pictures of one pair of players below each other as a PNG file. Returns its path."""
    title = f"{summary.first} v {summary.second}, {count_of(len(summary), 'hand')}, for {summary.first}"
    return write_whole(path, draw(pictures(summary), "png", (9, 4.6), title))


def report_page(summaries: Sequence[PairSummary], hands: HandArrays) -> str:
    """The whole page."""
    shown = summaries[:MOST_PAIRS]
    title = f"Skill and luck: {shown[0].first} v {shown[0].second}" if len(summaries) == 1 else "Skill and luck"
    content = [element("h1", title), _header(summaries, hands)]
    # Many pairs share the room, so that phones can still open the page.
    points, largest = max(250, min(1000, 4000 // max(1, len(shown)))), 10 if len(shown) <= 5 else 3
    content += [_pair_section(pair, hands, f"pair-{n + 1}", points, largest) for n, pair in enumerate(shown)]
    if len(summaries) > len(shown):
        rest = len(summaries) - len(shown)
        content.append(element("p", f"{count_of(rest, 'more pair')} of players with fewer hands are not shown."))
    content += [problems_html(hands), settings_html(summaries), measures_html()]
    return whole_page(title, *content)


def _header(summaries: Sequence[PairSummary], hands: HandArrays) -> Html:
    assessed = sum(len(pair) for pair in summaries)
    left_out = sum(problem.skipped for problem in hands.problems)
    facts = [f"{count_of(len(hands), 'hand')} of heads-up limit hold'em read, {assessed:,} assessed."]
    if left_out:
        facts.append(f"{left_out:,} {'line or file was' if left_out == 1 else 'lines or files were'} left out.")
    if assessed < len(hands):
        facts.append(f"{count_of(len(hands) - assessed, 'hand')} with hidden hole cards could not be assessed.")
    settings = [found.settings for found in summaries[0].assessments] if summaries else []
    if len(settings) == 1:
        kind = "the standard" if settings[0] == STANDARD else "not the standard"
        facts.append(f"The baseline has {kind} settings of Kan's thesis (2007).")
    elif settings:
        facts.append(f"The mean of {len(settings)} settings of the baseline counts.")
    files = [element("li", name) for name in hands.files[:_MOST_FILES]]
    if len(hands.files) > _MOST_FILES:
        files.append(element("li", f"and {len(hands.files) - _MOST_FILES:,} more"))
    links = [
        element(
            "li",
            element("a", f"{pair.first} v {pair.second}", href=f"#pair-{n + 1}"),
            f": {count_of(len(pair), 'hand')}, DIVAT ",
            interval(pair.estimate("divat")),
        )
        for n, pair in enumerate(summaries[:MOST_PAIRS])
    ]
    return joined(
        [
            element("p", " ".join(facts), " All amounts are in small bets (sb)."),
            element("ul", *files),
            element("ul", *links) if len(links) > 1 else "",
            element(
                "p",
                element("a", "Remarks on the logs", href="#problems"),
                ", ",
                element("a", "settings", href="#settings"),
                " and ",
                element("a", "what the measures mean", href="#measures"),
                " are at the end.",
            ),
        ]
    )


def _pair_section(pair: PairSummary, hands: HandArrays, anchor: str, points: int, largest: int) -> Html:
    figures = [
        element("figure", Html(inline_svg(figure, f"{anchor}-{n}")), element("figcaption", _caption(pair, n)))
        for n, figure in enumerate(pictures(pair, points))
    ]
    lists, replays = _largest_hands(pair, anchor, largest)
    return joined(
        [
            element("h2", f"{pair.first} v {pair.second}", id=anchor),
            element("p", _verdict(pair), class_="verdict"),
            element("h3", f"What {pair.first} won, and why"),
            _measures(pair, hands),
            element("div", *figures, class_="figures"),
            element("h3", "Street by street"),
            _streets(pair),
            element("h3", "Leaks"),
            element(
                "p",
                "Where each player was the first to leave the baseline on a street, the most costly first. The "
                "street's whole difference counts for that player, whatever both did afterwards (red-green points), so "
                "a bluff that works is a gain. The last columns say how often, of the decisions there at which nobody "
                "had left the baseline on that street and the baseline does something else: calls or raises where the "
                "player folded, folds where called, bets or raises where checked or called, checks or calls where bet "
                "or raised, folds where bluff raised.",
            ),
            *[_leaks(pair, player) for player in (0, 1)],
            element("h3", "The hands with the largest luck and the largest skill differences"),
            element("div", *lists, class_="two"),
            element("h3", "Replays"),
            element(
                "p",
                f"Values are those of {pair.first}, in small bets, by rollout: both play the baseline from there "
                "on. Small letters are the actions of the first to act after the flop, capitals the button's: S and l "
                "the blinds, k check, b bet, c call, r raise, f fold; the first that leaves the baseline is marked. "
                "Hand ranks against a random holding: IHR now, 7cHR at the river, EHR the one that counts. Classes: F "
                "folds to a bet, C calls, M1 to M4 are worth so many bets.",
            ),
            *replays,
        ]
    )


def _caption(pair: PairSummary, number: int) -> str:
    curves = (
        " The curves around zero are one standard deviation: of two equal players' matches, two in three end between "
        "them."
    )
    return (
        f"Won by {pair.first}: money and DIVAT added up over the hands.{curves if len(pair) > 1 else ''}",
        f"DIVAT of each street, added up: where {pair.first} gains and loses.",
        f"What the cards of each street were worth to {pair.first}; over many hands it comes to nothing.",
        "The mean of the two hands of each deal, played once from either seat.",
    )[number]


def _verdict(pair: PairSummary) -> str:
    # The two hands of a deal are not independent, so where all hands are paired the pairs decide.
    paired = 2 * len(pair.pairs) == len(pair)
    sample, words = ("pair", "Duplicate DIVAT") if paired else ("hand", "DIVAT")
    skill = pair.estimate("duplicate_divat" if paired else "divat")
    money = pair.estimate("duplicate" if paired else "money")
    certainty = " (95%)" if math.isfinite(skill.margin) else ""
    said = f"{words} says {rate(skill)} sb a hand for {pair.first}{certainty}, money {rate(money)}"
    if skill.is_clear:
        better, other = (pair.first, pair.second) if skill.mean > 0 else (pair.second, pair.first)
        return f"{better} played better than {other}. {said}, over {count_of(skill.count, sample)}."
    more, outlook = skill.further_samples, ""
    if more and more < 20 * skill.count:
        outlook = f" About {count_of(roughly(more), f'more {sample}')} would settle it if mean and deviation stay."
    elif more:
        outlook = f" A difference of more than {abs(skill.mean) + skill.margin:.3f} sb a hand is unlikely."
    verb = "does" if skill.count == 1 else "do"
    return f"{count_of(skill.count, sample)} {verb} not settle who plays better. {said}.{outlook}"


def _measures(pair: PairSummary, hands: HandArrays) -> Html:
    money = pair.estimate("money").sd
    rows = []
    for measure in pair.values:
        estimate = pair.estimate(measure)
        hands_each = 2 if MEASURES[measure].is_paired else 1
        fewer = ""
        if MEASURES[measure].is_skill and estimate.sd > 0 and math.isfinite(money):
            fewer = f"{(money / estimate.sd) ** 2 / hands_each:,.1f}×"
        thing = count_of(estimate.count, "pair" if hands_each == 2 else "hand")
        rows.append((MEASURES[measure].long_name, interval(estimate), unsigned(estimate.sd), fewer, thing))
    note = (
        "Bold: the 95% interval leaves out zero. Fewer hands: how many times fewer hands than money the measure needs "
        "for the same certainty."
    )
    runtime = _runtime(pair, hands)
    if runtime:
        hidden = count_of(runtime.count - len(pair), "hand")
        rows.append(("runtime DIVAT", interval(runtime), unsigned(runtime.sd), "", count_of(runtime.count, "hand")))
        note += (
            f" Runtime DIVAT counts {hidden} with hidden cards by money; it is not proven to be unbiased. All other "
            "rows leave these hands out, and are as good as the choice of hands whose cards were shown."
        )
    header = ("", "sb a hand (95%)", "SD", "fewer hands", "samples")
    return joined([table(header, rows), element("p", note, class_="note")])


def _runtime(pair: PairSummary, hands: HandArrays) -> Estimate | None:
    """DIVAT of the assessed hands together with the money of those whose cards stayed hidden, if there are any."""
    first, second = hands.names.index(pair.first), hands.names.index(pair.second)
    ours = (np.sort(hands.players, axis=1) == sorted((first, second))).all(axis=1)
    hidden = hands.where(ours & ~hands.complete)
    if not len(hidden):
        return None
    money = hidden.payoffs[:, 0] / hidden.small_bet * np.where(hidden.players[:, 0] == first, 1.0, -1.0)
    return Estimate.of(np.concatenate([pair.values["divat"], money]))


def _streets(pair: PairSummary) -> Html:
    rows = [
        (name, interval(pair.street(street)), interval(Estimate.of(pair.luck_by_street[:, street])))
        for street, name in enumerate(STREETS)
    ]
    points = [
        (name, interval(pair.points(player)), interval(pair.points(player, "evat")))
        for player, name in enumerate((pair.first, pair.second))
    ]
    return element(
        "div",
        element("div", table(("", f"DIVAT of {pair.first}", "luck of the street's cards"), rows)),
        element("div", table(("", "red-green points", "all-in equity given away (EVAT)"), points)),
        class_="two",
    )


def _leaks(pair: PairSummary, player: int) -> Html:
    name = pair.second if player else pair.first
    found = leaks(pair, player)
    if not found:
        return joined([element("h4", name), element("p", f"{name} was never the first to leave the baseline.")])
    rows = [
        (
            joined(
                [
                    element("span", leak.words, class_="what", title=KINDS[leak.kind]),
                    element("span", leak.situation, class_="where"),
                ]
            ),
            interval(leak.per_hand),
            interval(leak.per_occasion),
            f"{leak.occasions:,} of {leak.opportunities:,}",
            f"{leak.share:.0%}",
        )
        for leak in found
    ]
    header = ("what and where", "sb a hand (95%)", "sb each time (95%)", "times", "share")
    return joined([element("h4", name), table(header, rows)])


def _largest_hands(pair: PairSummary, anchor: str, most: int) -> tuple[list[Html], list[Html]]:
    """Four lists of hands, and a replay for each hand on them."""
    chosen: dict[int, str] = {}
    lists = []
    for title, measure, sign in (
        (f"Luckiest for {pair.first}", "luck", 1),
        (f"Luckiest for {pair.second}", "luck", -1),
        (f"Largest DIVAT for {pair.first}", "divat", 1),
        (f"Largest DIVAT for {pair.second}", "divat", -1),
    ):
        at = _largest(sign * pair.values[measure], most)
        chosen |= {n: f"{anchor}-hand-{n + 1}" for n in at}
        # What the list is sorted by comes first, so that a phone shows it.
        columns = [measure, *[other for other in ("luck", "divat", "money") if other != measure]]
        rows = [_hand_row(pair, n, chosen[n], columns) for n in at]
        header = ("hand", f"{pair.first}, {pair.second}, board", *[MEASURES[column].long_name for column in columns])
        content = table(header, rows, words=2) if rows else element("p", "No such hand.")
        lists.append(element("div", element("h4", title), content))
    return lists, [replay_html(pair, n, chosen[n]) for n in sorted(chosen)]


def _largest(values: NDArray[np.float64], most: int) -> list[int]:
    """Where the largest positive values are, the largest first."""
    order = np.argsort(-values, kind="stable")[:most]
    return [int(n) for n in order if values[n] > 0]


def _hand_row(pair: PairSummary, n: int, anchor: str, columns: Sequence[str]) -> tuple[str, ...]:
    record = pair.hands.record(n)
    first = 0 if pair.sign[n] > 0 else 1
    cards = joined([cards_html(cards) for cards in (record.holes[first], record.holes[1 - first], record.board)], " ")
    numbers = [signed(float(pair.values[measure][n]), 2) for measure in columns]
    return (element("a", str(record.number), href=f"#{anchor}"), cards, *numbers)
