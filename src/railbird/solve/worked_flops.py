"""The flops of a best response, as they are worked: what they tell so far, and what is kept of them for another time.

Flops are worked in the order in which they were drawn, so those that are done are a random sample at any time. Where
all flops are worked, their order is that of such a draw too, and the early estimate is the one that the draw up to
there gives. The result is the same whatever the order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from railbird.cache import cache_folder, mark_used, remove_old_tables
from railbird.errors import RailbirdError
from railbird.files import map_tables, write_tables
from railbird.progress import Watch
from railbird.solve.response_value import Exploitability
from railbird.words import count_of, plus_minus

if TYPE_CHECKING:
    from railbird.solve.best_response import BestResponse

Array = NDArray[np.float64]

_EARLY = 400
"""An early estimate rests on so many flops at most."""
_EARLY_SECONDS, _KEPT_SECONDS = 2.0, 5.0
"""How long there is nothing between two early estimates, and between two files."""
_WHAT, _VERSION = "flops of best responses", 1


@dataclass(frozen=True)
class KeptFlops:
    """A file with the values of flops against one strategy, so that work which was stopped can go on."""

    path: Path

    @staticmethod
    def of(*facts: str) -> KeptFlops:
        """The file in the cache for a strategy that follows from these facts."""
        name = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:24]
        return KeptFlops(cache_folder() / f"best-response-{name}.bin")

    def read(self, shape: tuple[int, ...]) -> dict[int, Array]:
        """By number of the flop its values; nothing where there is no such file, or a damaged one."""
        with suppress(OSError, RailbirdError):
            tables = map_tables(self.path, _WHAT, _VERSION, "do the same again")
            mark_used(self.path)
            if tables["values"].shape[1:] == shape:
                return dict(zip(tables["numbers"].tolist(), np.array(tables["values"])))
        return {}

    def write(self, values: dict[int, Array]) -> bool:
        """Write the file, and say whether that could be done."""
        with suppress(OSError):
            numbers = np.array(list(values), np.int64)
            write_tables(self.path, _WHAT, _VERSION, {"numbers": numbers, "values": np.array(list(values.values()))})
            remove_old_tables(_WHAT, _VERSION)
            return True
        return False


class WorkedFlops:
    """Those flops of a best response that are worked, and those that wait for it."""

    def __init__(
        self,
        response: BestResponse,
        flops: int | None,
        seed: int,
        watch: Watch | None = None,
        kept: KeptFlops | None = None,
    ) -> None:
        self._response, self._watch, self._kept = response, watch, kept
        self._seed = None if flops is None else seed
        self._numbers = response.flops.drawn(flops, seed)
        self._stream = (self._numbers if flops is not None else response.flops.drawn(_EARLY, 0))[:_EARLY]
        self._order = list(dict.fromkeys([*self._stream, *self._numbers]))
        self._wanted = set(self._numbers)
        before = kept.read(response.values_shape) if kept else {}
        self._others = {number: values for number, values in before.items() if number not in self._wanted}
        self._values = {number: values for number, values in before.items() if number in self._wanted}
        self._early: Exploitability | None = None
        self._early_at = self._kept_at = monotonic()
        self._is_kept = bool(before)
        self._questions = ""
        self._tell()
        if watch and hasattr(response.policy, "on_questions"):
            response.policy.on_questions = self._note_questions

    @property
    def waiting(self) -> list[int]:
        """The numbers of the flops that are not worked yet, in their order."""
        return [number for number in self._order if number not in self._values]

    def add(self, number: int, values: Array) -> None:
        """A flop is worked."""
        self._values[number] = values
        now = monotonic()
        if self._kept and now - self._kept_at > _KEPT_SECONDS:
            self._write()
        if now - self._early_at > _EARLY_SECONDS:
            self._early, self._early_at = self._estimate(), monotonic()
        self._tell()

    def found(self) -> Exploitability:
        """The exploitability, when all flops are worked."""
        if self._kept and self._is_kept:
            self._write()
        return self._response.judged(self._numbers, self._of(self._numbers), self._seed)

    def words(self) -> str:
        """What is known so far, for whoever stops the work."""
        done, total = len(self._values), len(self._order)
        known = f"{done:,} of {count_of(total, 'flop')} done"
        early = self._estimate()
        if early is not None:
            known += f" (so far {early_words(early).replace('  ', ', ')} milli small bets a hand)"
        if self._kept and done and self._write():
            return f"{known}; they are kept, the same command goes on"
        return f"{known}; they are not kept"

    def _estimate(self) -> Exploitability | None:
        """What the flops tell that were drawn before the first one that is not done, if there are two or more."""
        done = next((at for at, number in enumerate(self._stream) if number not in self._values), len(self._stream))
        if done < 2 or len(set(self._stream[:done])) < 2:
            return None
        return self._response.judged(self._stream[:done], self._of(self._stream[:done]), self._seed or 0)

    def _of(self, numbers: Sequence[int]) -> Array:
        return np.array([self._values[number] for number in numbers])

    def _tell(self) -> None:
        if self._watch:
            detail = "  ".join(filter(None, [early_words(self._early) if self._early else "", self._questions]))
            self._watch(len(self._values), len(self._order), *([detail] if detail else []))

    def _note_questions(self, count: int) -> None:
        self._questions = f"{count:,} questions"
        self._tell()

    def _write(self) -> bool:
        assert self._kept is not None
        self._is_kept = self._kept.write(self._others | self._values)
        self._kept_at = monotonic()
        return self._is_kept


def early_words(found: Exploitability) -> str:
    """An estimate as it stands beside a bar."""
    ends = (("at least", found.mean.lower), ("at most", found.mean.value))
    told = [(name, end.mean, plus_minus(end.told_margin, ",.0f")) for name, end in ends if end is not None]
    return "  ".join(f"{name} {mean:,.0f} {margin}" for name, mean, margin in told)
