"""Writes docs/papers/outcomes.md: every figure and table of the five papers, with ours beside it and what came of it.

    python docs/make_outcomes.py                              the page again, from outcomes.json in the package
    python docs/make_outcomes.py --experiments experiments    first take over what was run in this folder

What is published stands in published.toml, with what answers it: experiments, tests, or nothing and why. What was
measured comes from the summaries that `railbird experiment` writes beside its pages; an experiment that is found in the
folder replaces what was known of it, and the others are kept. Tests and experiments that do not exist are refused.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from railbird.files import write_whole
from railbird.judging import CONTRADICTED, OUTCOMES
from railbird.papers.catalogue import STUDIES
from railbird.papers.measured_outcomes import DATA, PUBLISHED
from railbird.papers.measured_outcomes import published as told_papers
from railbird.report.experiments import SUMMARY, command, summary_in
from railbird.words import count_of

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PAGE = DOCS / "papers" / "outcomes.md"
NOT_RUN, NOT_JUDGED, AGREES, DIFFERS, NO_ANSWER = "not run yet", "not judged", "agrees", "differs", "no answer"

FRESH = 2026
"""A seed that nothing was chosen on."""
_FACTS = ("size", "unit", "seed", "verdict")
_CLAIM = ("claim", "reading", "paper", "measured", "outcome")
_ROW = (
    *("reading", "player", "mean", "margin95"),
    *("method", "opponents", "mean_error", "mean_error_margin", "paper_mean_error", "worst_error"),
)
"""What is kept of a run, of its claims and of its rows."""

Data = Mapping[str, Any]


# What is known


def published() -> list[dict[str, Any]]:
    """The papers with their items. Refuses items that nothing answers, and answers that do not exist."""
    papers = told_papers(PUBLISHED)
    for paper in papers:
        for item in paper["items"]:
            where = f"{PUBLISHED.name}: {paper['name']}, {item['place']}"
            if not any(item.get(kind) for kind in ("studies", "tests", "nothing")):
                sys.exit(f"{where}: neither studies nor tests, nor a reason why there is nothing")
            for name in item.get("studies", ()):
                if name not in STUDIES:
                    sys.exit(f"{where}: no experiment {name!r}")
            for test in item.get("tests", ()):
                file, _, name = test.partition("::")
                if name not in tests_in(file):
                    sys.exit(f"{where}: no test {test!r}")
    return papers


@cache
def tests_in(file: str) -> frozenset[str]:
    """The names of the tests in a file of the repository; none if there is no such file."""
    path = ROOT / file
    tree = ast.parse(path.read_text(encoding="utf-8")) if path.is_file() else ast.Module([], [])
    functions = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return frozenset(name for name in functions if name.startswith("test_"))


def taken_over(data: Data, folder: Path) -> dict[str, Any]:
    """The data with what was run in a folder: of each experiment found there all runs, the largest first."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(folder.glob(f"*/{SUMMARY}")):
        run = summary_in(path)
        if run and run.name in STUDIES:
            told = json.loads(path.read_text(encoding="utf-8"))
            if "rows" not in told:
                sys.exit(f"{path}: of an earlier Railbird; give its command again, which plays nothing anew")
            if tuple(told["players"]) == STUDIES[run.name].players:
                found.setdefault(run.name, []).append(_kept(told))
    if not found:
        sys.exit(f"no experiments in {str(folder)!r}; run some there with railbird experiment")
    for runs in found.values():
        runs.sort(key=lambda run: (-run["size"], run["seed"]))
    known = {**data["experiments"], **found}
    return {"experiments": {name: known[name] for name in STUDIES if name in known}}


def _kept(told: Data) -> dict[str, Any]:
    """What the page needs of a summary: the claims, and win rates or errors that stand beside them."""
    return {
        **{key: told[key] for key in _FACTS},
        "claims": [{key: claim[key] for key in _CLAIM} for claim in told["claims"]],
        "rows": [
            {key: row[key] for key in _ROW if key in row}
            for row in told["rows"]
            if "opponent" not in row and ("player" in row or "method" in row)
        ],
    }


def data_text(data: Data) -> str:
    """The data as JSON, one claim or row a line."""
    lines = []
    for name, runs in data["experiments"].items():
        shown = []
        for run in runs:
            parts = [f'    "{key}": {json.dumps(run[key], ensure_ascii=False)}' for key in _FACTS]
            for key in ("claims", "rows"):
                each = ",\n".join(f"     {json.dumps(row, ensure_ascii=False)}" for row in run[key])
                parts.append(f'    "{key}": [\n{each}\n    ]' if each else f'    "{key}": []')
            shown.append("   {\n" + ",\n".join(parts) + "\n   }")
        lines.append(f'  "{name}": [\n' + ",\n".join(shown) + "\n  ]")
    return '{\n "experiments": {\n' + ",\n".join(lines) + "\n }\n}\n"


# What is shown


def page(data: Data) -> str:
    """The whole page."""
    papers, runs = published(), data["experiments"]
    named = {name for paper in papers for item in paper["items"] for name in item.get("studies", ())}
    own = [name for name in STUDIES if name not in named]
    return _TEXT.format(
        counts=_counts(papers, runs),
        papers="\n\n".join(_paper(paper, runs) for paper in papers),
        own=_own(own, runs),
        fresh=FRESH,
        claims="\n\n".join(_experiment(name, runs[name]) for name in STUDIES if name in runs),
    )


def outcomes_of(item: Data, runs: Mapping[str, Any]) -> list[str]:
    """What came of an item, a word or two for each experiment; of several readings the best is not chosen."""
    if names := item.get("studies"):
        return [_short(runs[name][0]) if name in runs else NOT_RUN for name in names]
    return [NO_ANSWER if "nothing" in item else DIFFERS if item.get("differs") else AGREES]


def _short(run: Data) -> str:
    """A run's verdict without its counts."""
    return re.sub(r" \(.*", "", run["verdict"]) if run["claims"] else NOT_JUDGED


def _kind(outcome: str) -> str:
    """What an outcome is counted as."""
    return CONTRADICTED if outcome.startswith("not reproduced") else re.sub(",.*", "", outcome)


def _counts(papers: Sequence[Data], runs: Mapping[str, Any]) -> str:
    """How many items of each paper came to what; an item with several experiments counts for the first."""
    found = [[_kind(outcomes_of(item, runs)[0]) for item in paper["items"]] for paper in papers]
    rows = ["| | " + " | ".join(paper["name"] for paper in papers) + " |", "|---|" + "--:|" * len(papers)]
    for kind in (*OUTCOMES, NOT_JUDGED, NOT_RUN, AGREES, DIFFERS, NO_ANSWER):
        name, counts = "not reproduced" if kind == CONTRADICTED else kind, [kinds.count(kind) for kinds in found]
        if any(counts):
            rows.append(f"| {name} | " + " | ".join(str(count or "") for count in counts) + " |")
    return "\n".join(rows)


def _paper(paper: Data, runs: Mapping[str, Any]) -> str:
    page = f"[{paper['page'].removesuffix('.md')}]({paper['page']})"
    head = f"## {paper['name']}\n\n{paper['title']}. What Railbird makes of it: {page}."
    rows = ["| place | what it shows | the paper | ours | outcome |", "|---|---|---|---|---|"]
    for item in paper["items"]:
        said, ours = _said(item, runs)
        outcome = "<br>".join(f"**{each}**" for each in dict.fromkeys(outcomes_of(item, runs)))
        place = re.sub(r"(?<=[a-z]) (?=\w)", "&nbsp;", item["place"])
        rows.append(f"| {place} | {item['shows']} | {said} | {ours} | {outcome} |")
    return head + "\n\n" + "\n".join(rows)


def _said(item: Data, runs: Mapping[str, Any]) -> tuple[str, str]:
    """What the paper says, and ours."""
    if names := item.get("studies"):
        ours = "<br>".join(_answer(name, runs) + _otherwise(name, names[0]) for name in names)
        return _cell(STUDIES[names[0]].reported), ours + _tested_in(item, "<br>")
    if "nothing" in item:
        return "", _cell(item["nothing"])
    return _cell(item["paper"]), _cell(item["ours"]) + _tested_in(item, " ")


def _otherwise(name: str, first: str) -> str:
    """How an experiment differs from the first of its figure, by their titles."""
    title, other = STUDIES[first].title, STUDIES[name].title
    return f" ({other.removeprefix(title).lstrip(', ')})" if name != first and other.startswith(title) else ""


def _answer(name: str, runs: Mapping[str, Any]) -> str:
    """What an experiment answers, in a cell: how large it was and how many claims came out how."""
    if name not in runs:
        return f"`railbird experiment {name} --seed {FRESH}`"
    run = runs[name][0]
    counted = _counted(run["claims"]) if run["claims"] else run["verdict"]
    return f"[`{name}`](#{name.replace('.', '')}), {_cell(counted)}; {run['size']:,} {_unit(run)}, seed {run['seed']}"


def _counted(claims: Sequence[Data]) -> str:
    readings = list(dict.fromkeys(claim["reading"] for claim in claims if claim["reading"])) or [""]
    each = []
    for reading in readings:
        own = [claim["outcome"] for claim in claims if claim["reading"] in ("", reading)]
        counts = ", ".join(f"{own.count(outcome)} {outcome}" for outcome in OUTCOMES if outcome in own)
        each.append(f"{reading}: {counts}" if reading else f"{counts} of {count_of(len(own), 'claim')}")
    return "; ".join(each)


def _unit(run: Data) -> str:
    return str(run["unit"]).partition(",")[0]


def _tested_in(item: Data, before: str) -> str:
    """The files of an item's tests."""
    tests = item.get("tests", ())
    files = dict.fromkeys(test.partition("::")[0].removeprefix("tests/") for test in tests)
    return before + "(" + ", ".join(f"`{file}`" for file in files) + ")" if tests else ""


def _own(names: Iterable[str], runs: Mapping[str, Any]) -> str:
    rows = ["| experiment | what it asks | ours | outcome |", "|---|---|---|---|"]
    for name in names:
        study = STUDIES[name]
        outcome = _short(runs[name][0]) if name in runs else NOT_RUN
        rows.append(f"| `{name}` | {_cell(study.title)} | {_answer(name, runs)} | **{outcome}** |")
    return "\n".join(rows)


def _experiment(name: str, runs: Sequence[Data]) -> str:
    """An experiment with all its claims, and what other runs of it came to."""
    study, run = STUDIES[name], runs[0]
    parts = [f"### {name}", f"{study.title}. The paper: {study.reported}."]
    smaller = f" (by default {study.size:,})" if run["size"] < study.size else ""
    parts.append(
        f"{run['size']:,} {run['unit']}{smaller}; seed {run['seed']}: `{command(study, run['size'], run['seed'])}`. "
        f"Outcome: **{run['verdict']}**."
    )
    if rates := _rates(run["rows"]):
        parts.append(rates)
    if run["claims"]:
        parts.append(_claims(run["claims"]))
    for other in runs[1:]:
        parts.append(f"Also {other['size']:,} {_unit(other)}, seed {other['seed']}: {other['verdict']}.")
    return "\n\n".join(parts)


def _claims(claims: Sequence[Data]) -> str:
    """The claims in a table; where the paper is read in several ways, these beside each other."""
    readings = list(dict.fromkeys(claim["reading"] for claim in claims))
    rows: dict[str, dict[str, Data]] = {}
    for claim in claims:
        rows.setdefault(claim["claim"], {})[claim["reading"]] = claim
    header = [reading or "ours" for reading in readings]
    lines = [f"| claim | paper | {' | '.join(header)} |", "|---|---|" + "---|" * len(header)]
    for name, found in rows.items():
        paper = next(iter(found.values()))["paper"]
        shown = {reading: f"{claim['measured']} **{claim['outcome']}**" for reading, claim in found.items()}
        cells = [shown.get(reading, "") for reading in readings]
        lines.append(f"| {_cell(name)} | {_cell(paper)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _rates(rows: Sequence[Data]) -> str:
    """Win rates of players, or errors beside the paper's, where an experiment has such rows."""
    if rows and "paper_mean_error" in rows[0]:
        lines = ["| estimate | opponents | mean error (95%) | paper | worst |", "|---|--:|--:|--:|--:|"]
        lines += [
            f"| {row['method']} | {row['opponents']} | {row['mean_error']:.3%} ± {row['mean_error_margin']:.3%} | "
            f"{row['paper_mean_error']:.3%} | {row['worst_error']:.2%} |"
            for row in rows
        ]
        return "\n".join(lines)
    found: dict[str, list[str]] = {}
    for row in rows:
        if {"player", "mean", "margin95"} <= set(row) and "opponent" not in row and row["margin95"] is not None:
            won = f"{row['player']} {row['mean']:+.3f} ± {row['margin95']:.3f}"
            found.setdefault(row.get("reading", ""), []).append(won)
    shown = [f"{reading or 'Win rates'} (95% each): {', '.join(each)}." for reading, each in found.items()]
    return "\n\n".join(f"{line[0].upper()}{line[1:]}" for line in shown)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


_TEXT = """# What the papers printed, and what came out

Every figure and table of the five papers, in their order, and the numbered statements that Railbird tests. This page is
made by `python docs/make_outcomes.py` from [what is published](../data/published.toml) and [what was
measured](../data/outcomes.json).

- **reproduced**, **not reproduced**, **not settled**: an experiment whose claims are judged by one rule
  (`railbird.judging`). The interval that is printed decides; it is Student's, and wide enough for all claims of the
  experiment to hold at once nineteen times in twenty. An experiment is reproduced if all its claims are, in one reading
  of the paper at least; it is not if in every reading one is contradicted; and it is not settled otherwise, nor ever by
  fewer than 30 samples.
- **agrees**, **differs**: an exact number, a table or a piece of code, which a test holds against the paper; its file
  under `tests` is named, and says why where something differs.
- **not judged**: set beside the paper's, which was measured on something else. **No answer**: nothing can be measured.

Every experiment stands with its size and its seed; {fresh} is a seed that nothing was chosen on. Where a figure was run
in several ways, the first counts here:

{counts}

{papers}

## Our own experiments

They follow from the papers, which have no such figure.

{own}

## The claims, one by one

Small bets per hand unless a claim is about something else.

{claims}

## Run them again

```
railbird experiment papp-8.3 --seed {fresh}
python docs/make_outcomes.py --experiments experiments
```

The first runs one as large as the paper's, or large enough; the second takes all that is in the folder into the data
and writes this page.
"""


def write_page() -> None:
    """The page, from the data."""
    write_whole(PAGE, page(json.loads(DATA.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--experiments", type=Path, help="a folder of experiments whose outcomes are taken over")
    given = asked.parse_args()
    if given.experiments:
        known = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {"experiments": {}}
        write_whole(DATA, data_text(taken_over(known, given.experiments)))
    write_page()
