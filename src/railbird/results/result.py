"""What every result can do: stand on a terminal, in a notebook, in JSON, in a data frame and in a figure."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from railbird.errors import RailbirdError
from railbird.results.figures import Figure, check_drawing
from railbird.results.frames import check_frames
from railbird.results.markup import element, joined
from railbird.results.parts import Heading, Part
from railbird.words import harmless

if TYPE_CHECKING:
    import polars
    from rich.console import Console

_STYLE = (
    ".railbird h3{font-size:1.1em;margin:.4em 0}.railbird p{margin:.3em 0}.railbird .note{font-weight:400;opacity:.75}"
    ".railbird table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.3em 0}"
    ".railbird td,.railbird th{padding:.15em .6em;white-space:nowrap}"
    ".railbird .words{text-align:left}.railbird .number{text-align:right}"
)
WIDTH = 120
"""How wide a result is where no terminal says otherwise."""


class Result:
    """A result says what it is made of (`parts`); how that is written is told here, once.

    Results are small frozen classes. Those that have rows or curves say so in `rows` and `figure`.
    """

    def parts(self) -> Sequence[Part]:
        """What the result is made of, in order; the first part is a heading."""
        raise NotImplementedError(f"{type(self).__name__} has no parts")

    def to_json(self) -> dict[str, Any]:
        """The result as the command prints it with --json."""
        raise NotImplementedError(f"{type(self).__name__} has no JSON")

    def rows(self) -> list[dict[str, Any]]:
        """The result as rows of a data frame."""
        raise RailbirdError(f"there are no rows for a data frame of {self._headed}")

    def figure(self) -> Figure:
        """The result as curves."""
        raise RailbirdError(f"there are no curves to draw of {self._headed}")

    @property
    def _headed(self) -> str:
        """The result in a few words: how it is headed."""
        first = next((part for part in self.parts() if isinstance(part, Heading)), None)
        return repr(first.title) if first else "this result"

    def panels(self) -> Sequence[Figure]:
        """All its curves, in panels below each other."""
        return [self.figure()]

    def to_frame(self) -> polars.DataFrame:
        """The rows as a data frame of polars."""
        check_frames()
        import polars

        return polars.DataFrame(self.rows(), infer_schema_length=None)

    def plot(self) -> Figure:
        """The curves, as a figure that notebooks show and that can be written to a file."""
        check_drawing()
        return self.figure()

    def __str__(self) -> str:
        from rich.console import Console

        out = StringIO()
        where = Console(file=out, width=WIDTH, color_system=None, highlight=False, emoji=False, legacy_windows=False)
        print_parts(self.parts(), where)
        return "\n".join(line.rstrip() for line in out.getvalue().splitlines())

    def __repr__(self) -> str:
        first = next(part for part in self.parts() if isinstance(part, Heading))
        return harmless(f"<{type(self).__name__} {first}>")

    def _repr_html_(self) -> str:
        inside = joined([part.html() for part in self.parts()], "\n")
        return str(element("div", element("style", Markup(_STYLE)), inside, class_="railbird"))


class PlayedResult(Result):
    """The result of what is played hand by hand: it is known as far as that has come."""

    @property
    def is_complete(self) -> bool:
        """Whether all was played that was asked for."""
        raise NotImplementedError(f"{type(self).__name__} does not say whether it is complete")


def print_parts(parts: Sequence[Part], where: Console) -> None:
    """Print parts of a result on a terminal or into a file."""
    for part in parts:
        where.print(part.rendered(where), soft_wrap=not part.is_block)
