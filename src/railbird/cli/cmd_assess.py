"""railbird assess."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from railbird.assess.divat import Assessment
    from railbird.assess.replay import Step
    from railbird.assess.summary import PairSummary
    from railbird.formats.hand_arrays import HandArrays
    from railbird.statistics import Estimate

_WORDS = {
    "money": "money",
    "duplicate": "duplicate",
    "all_in": "all-in DIVAT",
    "divat": "DIVAT",
    "duplicate_divat": "duplicate DIVAT",
    "dcash": "baseline's money",
    "money_minus_dcash": "money less that",
    "luck": "luck",
    "position": "position",
}
_MOST_PROBLEMS = 5


def assess(
    logs: Annotated[list[Path], typer.Argument(help="ACPC logs and match folders.")],
    html: Annotated[Path | None, typer.Option("--html", help="Write a report with pictures and replays.")] = None,
    png: Annotated[Path | None, typer.Option("--png", help="Write the picture of the first pair of players.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--settings",
            "-s",
            help="standard, or with other thresholds: standard:fold=faced; a row of Kan's "
            "Tables 4.1 and 4.2, standard:turn_bets=aggressive-low; or numbers, "
            "standard:flop_bets=0.58/0.825/0.93/0.965 (hand ranks worth 1 to 4 bets) and "
            "standard:turn_folds=0.05 (fold offset). Join several with commas. Given again, the mean of all "
            "counts.",
        ),
    ] = None,
    runtime: Annotated[
        bool, typer.Option("--runtime", help="Count hands with hidden cards by money (not proven to be unbiased).")
    ] = False,
    hand: Annotated[int | None, typer.Option("--hand", help="Show the hand of this number street by street.")] = None,
    game: Annotated[str | None, typer.Option("--game", "-g", help="The logs' game: a name or a game file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")] = False,
) -> None:
    """Say what was skill and what was luck in a log of heads-up limit hold'em.

    DIVAT holds what each player did against a baseline that bets for value, street by street, both hands known. It has
    the same mean as money and a fraction of its variance, so fewer hands tell who plays better.

    Example: railbird assess matches/demo --html report.html
    """
    from railbird.assess.settings import STANDARD, parse_settings
    from railbird.assess.summary import assess_pairs, runtime_estimates
    from railbird.cli.show import compiling_note, counting_bar, print_json
    from railbird.errors import AssessmentError
    from railbird.formats.hand_logs import read_hands
    from railbird.play.matches import read_game

    chosen = [parse_settings(text) for text in settings or []] or [STANDARD]
    if hand is not None and (html or png):
        raise AssessmentError("--hand shows one hand on the terminal; leave it out for --html and --png")
    for path in (html, png):
        if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
            raise AssessmentError(f"{str(path)!r} cannot be written: it is a folder, or its folder does not exist")
    if html or png:
        from railbird.report.figures import check_drawing

        check_drawing()
    with compiling_note():
        with counting_bar("reading") as watch:
            hands = read_hands(logs, read_game(game, 2) if game else None, watch)
        if not hands.complete.any() and not runtime:
            raise AssessmentError(
                "no hand of the log shows all hole cards; DIVAT needs them (--runtime counts money "
                "where they are hidden)"
            )
        _prepare(chosen)
        with counting_bar("assessing") as watch:
            pairs = assess_pairs(hands, chosen, watch)
        if hand is not None:
            _show_hand(pairs, hand, as_json)
            return
        live = runtime_estimates(hands, chosen) if runtime else None
        if as_json:
            print_json(_as_json(hands, pairs, settings or ["standard"], live))
        else:
            _show(hands, pairs, settings or ["standard"], live)
        if (html or png) and not pairs:
            raise AssessmentError("there is nothing to draw: no hand of the log shows all hole cards")
        if html or png:
            from railbird.report.assessment import write_picture, write_report

            written = [write_report(html, pairs, hands)] if html else []
            written += [write_picture(png, pairs[0])] if png else []
            if not as_json:
                print("\n".join(f"wrote {path}" for path in written))


def _prepare(settings: Sequence[Any]) -> None:
    """Load the tables, or build them with a bar."""
    from railbird.assess.tables import divat_tables
    from railbird.cli.show import counting_bar

    for setting in settings:
        with counting_bar("building tables, once") as watch:
            divat_tables(setting, watch)


def _show(
    hands: HandArrays,
    pairs: Sequence[PairSummary],
    settings: Sequence[str],
    runtime: dict[tuple[str, str], Estimate] | None,
) -> None:
    from rich.table import Table

    from railbird.cli.show import console, rate, say
    from railbird.game.spec import STREETS

    say(f"[dim]game: {_game_text(hands)}[/dim]")
    for pair in pairs:
        say(
            f"[bold]{_plain(pair.first)} vs {_plain(pair.second)}[/bold] | {_count(len(pair), 'hand')} | "
            f"{' and '.join(settings)} | small bets a hand (95%)"
        )
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(overflow="fold")
        for measure in pair.values:
            estimate = pair.estimate(measure)
            note = ""
            if measure == "divat":
                note = f"{pair.fewer_hands:.1f}x fewer hands for the same certainty" if pair.fewer_hands < 1e6 else ""
            elif measure.startswith("duplicate"):
                note = _count(estimate.count, "pair")
            if measure == "position":  # known exactly
                worth = f"{round(estimate.mean, 3) + 0.0:+.3f}"  # never -0.000
                table.add_row(f"  {_WORDS[measure]}", f"{worth}        ", "", "what the seats were worth")
                continue
            table.add_row(f"  {_WORDS[measure]}", rate(estimate), _deviation(estimate), note)
        console().print(table)
        say("  DIVAT by street: " + ", ".join(f"{name} {rate(pair.street(n))}" for n, name in enumerate(STREETS)))
    for (first, second), estimate in (runtime or {}).items():
        numbers = ", ".join(filter(None, [rate(estimate), _deviation(estimate)]))
        counted = f"over {_count(estimate.count, 'hand')}: money where cards stayed hidden; not proven to be unbiased"
        say(f"[bold]{_plain(first)} vs {_plain(second)}[/bold], runtime DIVAT {numbers}, {counted}")
    _show_problems(hands)


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def _deviation(estimate: Estimate) -> str:
    """The standard deviation; one sample has none."""
    return f"SD {estimate.sd:.3f}" if estimate.count > 1 else ""


def _game_text(hands: HandArrays) -> str:
    """The rules that the hands were read by; of logs without a game they were told from the hands."""
    game = hands.game
    order = "reverse blinds" if game.blinds[0] > game.blinds[1] else "small blind first on every street"
    cap = "no cap" if game.max_raises[1] is None else f"at most {game.max_raises[1]} bets a street"
    return f"small bet of {game.small_bet} chips, {order}, {cap}"


def _show_problems(hands: HandArrays) -> None:
    from railbird.cli.show import say
    from railbird.formats.hand_arrays import PROBLEM_KINDS

    if not hands.problems:
        return
    counts = ", ".join(f"{PROBLEM_KINDS[kind]} ({count:,})" for kind, count in hands.problem_counts.most_common())
    say(f"[yellow]remarks on the logs[/yellow]: {counts}")
    for problem in hands.problems[:_MOST_PROBLEMS]:
        say(f"  {_plain(str(problem))}")
    if len(hands.problems) > _MOST_PROBLEMS:
        say(f"  and {len(hands.problems) - _MOST_PROBLEMS:,} more (--json has all)")


def _show_hand(pairs: Sequence[PairSummary], number: int, as_json: bool) -> None:
    """One hand as in the thesis' Tables 3.3 and 3.4."""
    import numpy as np

    from railbird.assess.replay import hand_steps
    from railbird.cli.show import print_json, say
    from railbird.errors import AssessmentError

    found = [(pair, int(n)) for pair in pairs for n in np.flatnonzero(pair.hands.numbers == number)]
    if not found:
        raise AssessmentError(f"no hand {number} among the hands that could be assessed")
    if as_json:
        print_json(
            {
                "schema": "railbird.assessed-hand/1",
                "hands": [
                    {
                        "players": list(record.names),
                        "file": pair.hands.files[int(pair.hands.file[n])],
                        "line": int(pair.hands.line[n]),
                        **_hand_measures(pair.assessments[0], n),
                        "streets": [step.to_json() for step in steps],
                    }
                    for pair, n in found
                    for record, steps in [hand_steps(pair.assessments[0], n)]
                ],
            }
        )
        return
    for pair, n in found:
        record, steps = hand_steps(pair.assessments[0], n)
        where = f"{pair.hands.files[int(pair.hands.file[n])]}:{int(pair.hands.line[n])}"
        say(
            f"[bold]hand {number}[/bold] | {_plain(record.names[0])} (first to act after the flop) vs "
            f"{_plain(record.names[1])} | {_plain(where)}"
        )
        _print_streets(record.names, steps)
        whole = _hand_measures(pair.assessments[0], n)
        say(
            f"  values are those of {_plain(record.names[0])}, in small bets: money {whole['money']:+.2f} = DIVAT "
            f"{whole['divat']:+.4f} + luck {whole['luck']:+.4f} + position {whole['position']:+.4f}"
        )
        say(
            f"  baseline's money {whole['dcash']:+.4f}, all-in DIVAT {whole['all_in_divat']:+.4f}, LFAT of "
            f"flop, turn and river {', '.join(f'{value:+.4f}' for value in whole['lfat'])}"
        )
        for p, name in enumerate(record.names):
            say(
                f"  {_plain(name)}: red-green points {whole['red_green'][p]:+.4f}, all-in equity given away (EVAT) "
                f"{whole['evat'][p]:+.4f}"
            )


def _print_streets(names: Sequence[str], steps: Sequence[Step]) -> None:
    """The streets of a hand in one table, or in two where it is too wide: what was done, and what that was worth."""
    from rich.table import Table

    from railbird.cli.show import console

    done = [
        [
            step.cards,
            *(f"{float(rank):.4f} {name}" for rank, name in zip(step.ehr, step.classes)),
            step.played,
            step.baseline,
        ]
        for step in steps
    ]
    worth = [
        [f"{value:+.4f}" for value in (step.value, step.baseline_value, step.difference, step.luck)] for step in steps
    ]
    actions = ["cards", *(f"{name} EHR" for name in names), "played", "baseline"]
    values = ["value", "baseline's", "DIVAT", "luck"]

    def table(with_actions: bool, with_values: bool) -> Table:
        found = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        found.add_column("", no_wrap=True)
        for number, column in enumerate(actions if with_actions else []):
            # A long name goes on in the next line, a rank stays on one.
            found.add_column(_plain(column), overflow="fold", min_width=9 if number in (1, 2) else None)
        for column in values if with_values else []:
            found.add_column(column, justify="right", no_wrap=True)
        for step, first, second in zip(steps, done, worth):
            found.add_row(f"  {step.street}", *(first if with_actions else []), *(second if with_values else []))
        return found

    where = console()
    whole = table(True, True)
    if where.measure(whole, options=where.options.update(width=10_000)).maximum <= where.width:
        where.print(whole)
    else:
        where.print(table(True, False))
        where.print(table(False, True))


def _hand_measures(assessment: Assessment, n: int) -> dict[str, Any]:
    """What an assessment says of a hand as a whole, for position 0; points and EVAT for both."""
    return {
        "money": float(assessment.money[n]),
        "divat": float(assessment.divat[n]),
        "luck": float(assessment.luck[n].sum()),
        "position": assessment.position,
        "dcash": float(assessment.dcash[n]),
        "all_in_divat": float(assessment.all_in_divat[n]),
        "lfat": assessment.lfat[n].tolist(),
        "red_green": assessment.red_green[n].tolist(),
        "evat": assessment.evat[n].tolist(),
    }


def _plain(text: str) -> str:
    """Text that rich prints as it is."""
    from rich.markup import escape

    return escape("".join(sign if sign.isprintable() else "?" for sign in text))


def _as_json(
    hands: HandArrays,
    pairs: Sequence[PairSummary],
    settings: Sequence[str],
    runtime: dict[tuple[str, str], Estimate] | None,
) -> dict[str, Any]:
    from railbird.assess.leaks import leaks
    from railbird.game.spec import STREETS
    from railbird.play.match import estimate_json

    return {
        "schema": "railbird.assess/1",
        "unit": "small bets per hand",
        "files": list(hands.files),
        "settings": list(settings),
        "game": {
            "blinds": list(hands.game.blinds),
            "bets": list(hands.game.bet_sizes),
            "raises": list(hands.game.max_raises),
        },
        "hands_read": len(hands),
        "pairs": [
            {
                "players": [pair.first, pair.second],
                "hands": len(pair),
                "measures": {measure: estimate_json(pair.estimate(measure)) for measure in pair.values},
                "fewer_hands": pair.fewer_hands,
                "by_street": {name: estimate_json(pair.street(n)) for n, name in enumerate(STREETS)},
                "red_green": [estimate_json(pair.points(player)) for player in (0, 1)],
                "evat": [estimate_json(pair.points(player, "evat")) for player in (0, 1)],
                "leaks": [[leak.to_json() for leak in leaks(pair, player)] for player in (0, 1)],
            }
            for pair in pairs
        ],
        "runtime_divat": None
        if runtime is None
        else [{"players": list(names), "divat": estimate_json(estimate)} for names, estimate in runtime.items()],
        "problems": [
            {"file": p.file, "line": p.line, "kind": p.kind, "message": p.message, "skipped": p.skipped}
            for p in hands.problems
        ],
    }
