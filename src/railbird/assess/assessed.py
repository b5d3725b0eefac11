"""An assessed log, and one hand of it, as results: what was skill and what was luck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from railbird.assess.aivat_hands import KnownPlayers
from railbird.assess.divat import Assessment
from railbird.assess.leaks import Leak, leaks, surest_leaks
from railbird.assess.measure_table import deviation, measure_table, pair_rows, surest_parts
from railbird.assess.mivat import Weighing
from railbird.assess.pair_sums import PairSums
from railbird.assess.pictures import pictures
from railbird.assess.replay import Step, hand_steps
from railbird.assess.settings import STANDARD, Settings
from railbird.assess.shared_deals import HandSums
from railbird.assess.summary import PairSummary, assess_pairs, runtime_estimates, runtime_samples
from railbird.assess.tables import divat_tables
from railbird.assess.verdicts import Verdict
from railbird.errors import AssessmentError, HiddenCardsError
from railbird.formats.hand_arrays import PROBLEM_KINDS, HandArrays, Problem
from railbird.formats.left_out import LeftOut, is_trace
from railbird.game.record import HandRecord
from railbird.game.spec import STREETS
from railbird.progress import Bar, no_bar, opened_late
from railbird.results.figures import Figure
from railbird.results.parts import Fitting, Heading, Line, Part, Table
from railbird.results.result import Result
from railbird.statistics import Estimate
from railbird.words import count_of, rate, signed

_NOTHING_SHOWN = "no hand of the log shows all hole cards; DIVAT needs them"
_MOST_PROBLEMS = 5
_MOST_LEAKS = 10
LEGEND = (
    "EHR: effective hand rank, the share of other holdings that it beats, from 0 to 1, cards to come included; and the "
    "class that the baseline gives it: F folds to a bet, C checks and calls, M1 to M4 is worth one to four bets.",
    "played, baseline: the actions, capitals for the button; S s small blind, L l big blind, K k check, B b bet, C c "
    "call, R r raise, F f fold.",
    "value: what the hand is worth after the street's actions if both play the baseline from there on; baseline's: "
    "after the baseline's actions instead; DIVAT: the difference, which is skill; luck: what the street's cards "
    "changed.",
    "red-green points: each street's DIVAT, given to whoever left the baseline first; EVAT: against the best of fold, "
    "call and raise by all-in equity; LFAT: luck by all-in equity; baseline's money: what it wins with these cards.",
)
"""What stands in the tables of an assessed hand."""


@dataclass(frozen=True, repr=False)
class AssessedLog(Result):
    """What was skill and what was luck in a log of heads-up limit hold'em, for each pair of players."""

    hands: HandArrays
    """All hands that could be read, and what was wrong with the others."""
    pairs: tuple[PairSummary, ...]
    """The pairs of players with all their hands; none where these are too many for memory (`sums`)."""
    settings: tuple[str, ...]
    """The settings of DIVAT, as they were asked for."""
    runtime: Mapping[tuple[str, str], Estimate] | None = None
    """By pair of players: DIVAT where all cards were shown, money where they were not; if it was wanted."""
    sums: tuple[PairSums, ...] = ()
    """The pairs of players of a log that was too long for memory, hands aside."""
    hands_read: int = 0
    """How many hands such a log has."""

    @property
    def limit_log(self) -> AssessedLog:
        """Itself: what was assessed by DIVAT."""
        return self

    @property
    def _told(self) -> Sequence[PairSummary | PairSums]:
        """The pairs of players, with their hands or without."""
        return self.pairs or self.sums

    @property
    def _hand_count(self) -> int:
        return self.hands_read or len(self.hands)

    def hand(self, number: int) -> AssessedHand:
        """The hands of this number, street by street."""
        self._refuse_without_hands()
        found = [(pair, int(n)) for pair in self.pairs for n in np.flatnonzero(pair.hands.numbers == number)]
        if not found:
            raise AssessmentError(f"no hand {number} among the hands that could be assessed")
        return AssessedHand(number, tuple(found))

    def worst_hands(self, player: str, count: int = 10) -> list[AssessedHand]:
        """The hands in which a player lost most by his play, the worst first."""
        self._refuse_without_hands()
        found: list[tuple[float, PairSummary, int]] = []
        for pair in self.pairs:
            if player in (pair.first, pair.second):
                skill = pair.values["divat"] * (1 if player == pair.first else -1)
                found += [(float(skill[n]), pair, int(n)) for n in np.argsort(skill, kind="stable")[:count]]
        if not found:
            raise AssessmentError(f"no player {player!r} among {', '.join(self.hands.names)}")
        worst = sorted(found, key=lambda each: each[0])[:count]
        return [AssessedHand(int(pair.hands.numbers[n]), ((pair, n),)) for _, pair, n in worst]

    def _refuse_without_hands(self) -> None:
        if self.sums:
            raise AssessmentError(f"{count_of(self.hands_read, 'hand')} were not kept; assess them with whole=True")

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.assess/1."""
        game, runtime = self.hands.game, self.runtime
        return {
            "schema": "railbird.assess/1",
            "unit": "small bets per hand",
            "files": list(self.hands.files),
            "settings": list(self.settings),
            "game": {
                "blinds": list(game.blinds),
                "bets": list(game.bet_sizes),
                "raises": list(game.max_raises),
            },
            "hands_read": self._hand_count,
            "pairs": [_pair_json(pair) for pair in self._told],
            "runtime_divat": None
            if runtime is None
            else [{"players": list(names), "divat": estimate.to_json()} for names, estimate in runtime.items()],
            "problems": [
                {"file": p.file, "line": p.line, "kind": p.kind, "message": p.message, "skipped": p.skipped}
                for p in self.hands.problems
            ],
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each pair of players and measure; what the seats were worth is known exactly, and left out."""
        return [
            {"first": pair.first, "second": pair.second, "measure": measure, **pair.estimate(measure).to_json()}
            for pair in self._told
            for measure in pair.measures
            if measure != "position"
        ]

    def figure(self) -> Figure:
        """Money and DIVAT of the first pair of players, hand by hand."""
        self._refuse_without_hands()
        if not self.pairs:
            raise AssessmentError("there is nothing to draw: no hand of the log shows all hole cards")
        return pictures(self.pairs[0])[0]

    def parts(self) -> list[Part]:
        found: list[Part] = []
        hidden = self.hands.problem_counts["hidden-cards"]
        unfair = self._told and not is_trace(hidden, self._hand_count)
        if unfair:
            said = f"{hidden:,} of {count_of(self._hand_count, 'hand')} hide cards: runtime DIVAT counts them by money,"
            found.append(Line(f"{said} all else is of the others, which are no fair sample.", 0, "bold"))
            found += self._runtime_parts()
        for pair in self._told:
            found += self._pair_parts(pair)
        found.append(Line(f"game: {_game_text(self.hands)}", 0, "dim"))
        found += [] if unfair else self._runtime_parts()
        found += _problem_parts(self.hands)
        for pair in self._told:
            found += _leak_parts(pair)
        return found

    def _runtime_parts(self) -> list[Part]:
        found: list[Part] = []
        for (first, second), estimate in (self.runtime or {}).items():
            numbers = ", ".join(filter(None, [rate(estimate), deviation(estimate)]))
            counted = count_of(estimate.count, "hand")
            found.append(
                Line(
                    f"{first} vs {second}, runtime DIVAT {numbers} for {first}, over {counted}: money where cards "
                    "stayed hidden; not proven to be unbiased",
                    indent=0,
                )
            )
        return found

    def __repr__(self) -> str:
        players = ", ".join(f"{pair.first} vs {pair.second}" for pair in self._told)
        return f"<AssessedLog {players} | {count_of(self._hand_count, 'hand')}>"

    def _pair_parts(self, pair: PairSummary | PairSums) -> list[Part]:
        streets = ", ".join(f"{name} {rate(pair.street(n))}" for n, name in enumerate(STREETS))
        verdict = Verdict(pair)
        return [
            Heading(f"{pair.first} vs {pair.second}", (count_of(len(pair), "hand"), " and ".join(self.settings))),
            Line(str(verdict), style="bold"),
            *(Line(sentence) for sentence in verdict.reasons),
            Line(f"All measures, in small bets a hand for {pair.first} (95%):", 0),
            measure_table(pair_rows(pair)),
            *surest_parts(pair, verdict),
            Line(f"DIVAT by street, for {pair.first}: {streets}"),
        ]


@dataclass(frozen=True, repr=False)
class AssessedHand(Result):
    """One hand (or several of the same number) as in the thesis' Tables 3.3 and 3.4."""

    number: int
    found: tuple[tuple[PairSummary, int], ...]
    """The pairs of players who have played it, and which of their hands it is."""

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.assessed-hand/1."""
        hands = []
        for pair, n in self.found:
            record, steps = hand_steps(pair.assessments[0], n)
            hands.append(
                {
                    "players": list(record.names),
                    "file": pair.hands.files[int(pair.hands.file[n])],
                    "line": int(pair.hands.line[n]),
                    **_hand_measures(pair.assessments[0], n),
                    "streets": [step.to_json() for step in steps],
                }
            )
        return {"schema": "railbird.assessed-hand/1", "hands": hands}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each street."""
        hands = [hand_steps(pair.assessments[0], n) for pair, n in self.found]
        return [
            {
                "players": " vs ".join(record.names),
                "street": step.street,
                "cards": step.cards,
                "played": step.played,
                "baseline": step.baseline,
                "value": step.value,
                "baseline_value": step.baseline_value,
                "divat": step.difference,
                "luck": step.luck,
            }
            for record, steps in hands
            for step in steps
        ]

    def parts(self) -> list[Part]:
        found: list[Part] = []
        for pair, n in self.found:
            record, steps = hand_steps(pair.assessments[0], n)
            line, where = int(pair.hands.line[n]), pair.hands.files[int(pair.hands.file[n])]
            where += f":{line}" if line else ""
            players = f"{record.names[0]} (first to act after the flop) vs {record.names[1]}"
            found.append(Heading(f"hand {self.number}", (players, where)))
            found += _street_parts(record, steps)
            found += _measure_parts(record, _hand_measures(pair.assessments[0], n))
        return [*found, *(Line(words, 0, "dim") for words in LEGEND)]


def assessed_log(
    hands: HandArrays,
    settings: Sequence[tuple[str, Settings]] = (("standard", STANDARD),),
    runtime: bool = False,
    bar: Bar = no_bar,
    known: KnownPlayers | None = None,
    weighing: Weighing | None = None,
) -> AssessedLog:
    """Assess the hands of a log by settings that have names; several make an ensemble, whose means count.

    With `runtime`, hands with hidden cards count by money; with `known` players there is AIVAT; `weighing` is MIVAT's,
    by default as it ships. Tables that are missing are built first.
    """
    if known:
        known.check(hands.names)
    hands.refuse_unfair()
    _refuse_hidden(int(hands.complete.sum()), len(hands), runtime)
    chosen = [setting for _, setting in settings]
    for setting in chosen:
        with opened_late(bar, "building tables, once") as watch:
            divat_tables(setting, watch)
    with bar("assessing") as watch:
        pairs = assess_pairs(hands, chosen, watch, known=known, weighing=weighing)
    live = runtime_estimates(hands, chosen) if runtime else None
    return AssessedLog(hands, tuple(pairs), tuple(name for name, _ in settings), live)


def assessed_pieces(
    pieces: Iterable[HandArrays],
    settings: Sequence[tuple[str, Settings]] = (("standard", STANDARD),),
    runtime: bool = False,
    bar: Bar = no_bar,
    known: KnownPlayers | None = None,
    weighing: Weighing | None = None,
) -> AssessedLog:
    """Assess a log that comes in pieces, of which only sums are kept; see `assessed_log`."""
    chosen = [setting for _, setting in settings]
    for setting in chosen:
        with opened_late(bar, "building tables, once") as watch:
            divat_tables(setting, watch)
    sums: dict[tuple[str, str], PairSums] = {}
    live: dict[tuple[str, str], HandSums] = {}
    whole, problems, hands_read, shown, left_out = None, list[Problem](), 0, 0, LeftOut()
    for piece in pieces:
        hands_read, shown = hands_read + len(piece), shown + int(piece.complete.sum())
        left_out.join(piece.left_out)
        problems += [each for each in piece.problems if each.line or each not in problems]
        for pair in assess_pairs(piece, chosen, seen_by=sums, known=known, weighing=weighing):
            sums.setdefault((pair.first, pair.second), PairSums(pair.first, pair.second)).add(pair)
        if runtime:
            for names, samples in runtime_samples(piece, chosen, sums).items():
                live.setdefault(names, HandSums()).add(*samples)
        nothing = piece.where(np.zeros(len(piece), np.bool_))
        whole = whole or nothing
        whole = replace(nothing, game=whole.game, names=tuple(dict.fromkeys((*whole.names, *piece.names))))
    if whole is None:
        raise AssessmentError(_NOTHING_SHOWN)
    if known:
        known.check(whole.names)
    whole = replace(whole, left_out=left_out)
    whole.refuse_unfair()
    _refuse_hidden(shown, hands_read, runtime)
    problems.sort(key=lambda problem: (whole.files.index(problem.file), problem.line))
    order = sorted(sums.values(), key=lambda pair: -len(pair))
    told = {names: each.estimate() for names, each in live.items()} if runtime else None
    asked = tuple(name for name, _ in settings)
    return AssessedLog(replace(whole, problems=tuple(problems)), (), asked, told, tuple(order), hands_read)


def _refuse_hidden(shown: int, hands: int, runtime: bool) -> None:
    """Refuse hands of which too many hide cards: whose cards are shown depends on the play."""
    if runtime:
        return
    if not shown:
        raise HiddenCardsError(_NOTHING_SHOWN)
    if not is_trace(hands - shown, hands):
        raise HiddenCardsError(
            f"{hands - shown:,} of {count_of(hands, 'hand')} hide cards, and whose cards are shown depends on the "
            f"play: the other {shown:,} are no fair sample"
        )


def _pair_json(pair: PairSummary | PairSums) -> dict[str, Any]:
    surest = {(name, leak.kind, leak.street, leak.facing_bet) for name, leak in surest_leaks(pair)[0]}

    def told(name: str, leak: Leak) -> dict[str, Any]:
        return {**leak.to_json(), "stands_out": (name, leak.kind, leak.street, leak.facing_bet) in surest}

    return {
        "players": [pair.first, pair.second],
        "hands": len(pair),
        "rake": pair.rake.to_json(),
        "verdict": " ".join([str(Verdict(pair)), *Verdict(pair).reasons]),
        "measures": {measure: pair.estimate(measure).to_json() for measure in pair.measures},
        "fewer_hands": pair.fewer_hands,
        "by_street": {name: pair.street(n).to_json() for n, name in enumerate(STREETS)},
        "red_green": [pair.points(player).to_json() for player in (0, 1)],
        "evat": [pair.points(player, "evat").to_json() for player in (0, 1)],
        "leaks": [
            [told(name, leak) for leak in leaks(pair, player)] for player, name in enumerate((pair.first, pair.second))
        ],
    }


def _street_parts(record: HandRecord, steps: Sequence[Step]) -> list[Part]:
    """What was done on each street, and what that was worth."""
    done = [
        (
            step.street,
            step.cards,
            *(f"{float(rank):.4f} {name}" for rank, name in zip(step.ehr, step.classes)),
            step.played,
            step.baseline,
        )
        for step in steps
    ]
    worth = [
        (step.street, *(f"{value:+.4f}" for value in (step.value, step.baseline_value, step.difference, step.luck)))
        for step in steps
    ]
    actions = ("", "cards", *(f"{name} EHR" for name in record.names), "played", "baseline")
    values = ("", "value", "baseline's", "DIVAT", "luck")
    # A long name goes on in the next line, a rank stays on one.
    how: dict[str, Any] = {"words": 6, "folded": (1, 2, 3, 4, 5), "widths": {2: 9, 3: 9}}
    whole = [(*first, *second[1:]) for first, second in zip(done, worth)]
    narrow = Table(done, actions, **how), Table(worth, values)
    return [Fitting(Table(whole, (*actions, *values[1:]), **how), narrow)]


def _measure_parts(record: HandRecord, whole: Mapping[str, Any]) -> list[Part]:
    lfat = ", ".join(f"{value:+.4f}" for value in whole["lfat"])
    rake = f" - rake {whole['rake']:.4f}" if whole["rake"] else ""
    return [
        Line(
            f"values are those of {record.names[0]}, in small bets: money {whole['money']:+.2f} = DIVAT "
            f"{whole['divat']:+.4f} + luck {whole['luck']:+.4f} + position {whole['position']:+.4f}{rake}"
        ),
        Line(
            f"baseline's money {whole['dcash']:+.4f}, all-in DIVAT {whole['all_in_divat']:+.4f}, LFAT of "
            f"flop, turn and river {lfat}"
        ),
        *(
            Line(
                f"{name}: red-green points {whole['red_green'][p]:+.4f}, all-in equity given away (EVAT) "
                f"{whole['evat'][p]:+.4f}"
            )
            for p, name in enumerate(record.names)
        ),
    ]


def _hand_measures(assessment: Assessment, n: int) -> dict[str, Any]:
    """What an assessment says of a hand as a whole, for position 0; points and EVAT for both."""
    return {
        "money": float(assessment.money[n]),
        "rake": float(assessment.fair_money[n] - assessment.money[n]),
        "divat": float(assessment.divat[n]),
        "luck": float(assessment.luck[n].sum()),
        "position": assessment.position,
        "dcash": float(assessment.dcash[n]),
        "all_in_divat": float(assessment.all_in_divat[n]),
        "lfat": assessment.lfat[n].tolist(),
        "red_green": assessment.red_green[n].tolist(),
        "evat": assessment.evat[n].tolist(),
    }


def _leak_parts(pair: PairSummary | PairSums) -> list[Part]:
    """Where leaving the baseline surely cost a player something, or that nothing stands out."""
    found, ways = surest_leaks(pair)
    whose = f"{pair.first} and {pair.second}"
    if not ways:
        return [Heading(f"leaks of {whose}", ("none: neither left the baseline",))]
    judged = f"{count_of(ways, 'way')} of leaving the baseline judged together"
    if not found:
        return [Heading(f"leaks of {whose}", ("nothing stands out", judged))]
    shown = found[:_MOST_LEAKS]
    rows = [
        (
            name,
            leak.words,
            leak.situation,
            rate(leak.per_hand),
            signed(leak.per_occasion.mean, 2),
            f"{leak.occasions:,} of {leak.opportunities:,}",
        )
        for name, leak in shown
    ]
    wide = Table(rows, ("whose", "what", "where", "sb/hand (95%)", "each time", "times"), words=3)
    short = [(name, f"{leak.words}: {leak.situation}", rate(leak.per_hand)) for name, leak in shown]
    narrow = Table(short, ("whose", "what and where", "sb/hand (95%)"), words=2, folded=(0, 1))
    parts: list[Part] = [Heading(f"leaks of {whose}", (judged,)), Fitting(wide, (narrow,))]
    if len(found) > _MOST_LEAKS:
        parts.append(Line(f"and {len(found) - _MOST_LEAKS:,} that cost less (--html has all)"))
    return parts


def _game_text(hands: HandArrays) -> str:
    """The rules that the hands were read by; of logs without a game they were told from the hands."""
    game = hands.game
    order = "reverse blinds" if game.blinds[0] > game.blinds[1] else "small blind first on every street"
    cap = "no cap" if game.max_raises[1] is None else f"at most {game.max_raises[1]} bets a street"
    return f"small bet of {game.small_bet} chips, {order}, {cap}"


def _problem_parts(hands: HandArrays) -> list[Part]:
    if not hands.problems:
        return []
    counts = ", ".join(f"{PROBLEM_KINDS[kind]} ({count:,})" for kind, count in hands.problem_counts.most_common())
    found: list[Part] = [Line(f"remarks on the logs: {counts}", 0, "yellow")]
    found += [Line(str(problem)) for problem in hands.problems[:_MOST_PROBLEMS]]
    if len(hands.problems) > _MOST_PROBLEMS:
        found.append(Line(f"and {len(hands.problems) - _MOST_PROBLEMS:,} more (--json has all)"))
    return found
