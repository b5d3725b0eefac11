"""Any bytes, any numbers: every reader is given inputs that nobody would write.

Each must give a value or a `RailbirdError`, nothing else, within 1 s of the processor and 500 MB. Inputs follow from
the seed, the reader and their number. A child process reads them, under a limit of memory; if it hangs or dies, the
input that it had goes down as a finding and another child goes on after it. What is found is written to a file, cut
down as far as it still shows the same, with the command that gives the reader that very input again.

Several processes work at once, each at a piece of the inputs of one reader.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

MOST_SECONDS = 1.0
MOST_BYTES = 500_000_000
_HANG_SECONDS = 30.0
"""By the clock on the wall, however busy the machine is."""
_STARTING_SECONDS = 300.0
"""The same before the first input, when kernels may have to be compiled."""
_PIECE = 20_000
"""So many inputs one process is given."""
_MOST_FINDINGS = 10
_STOPPED = threading.Event()
"""Somebody has pressed Ctrl-C."""
_CUTTING_SECONDS = 5.0
_LONGEST_MESSAGE = 5_000


@dataclass(frozen=True)
class Finding:
    """An input that a reader did not stand."""

    reader: str
    number: int
    what: str
    """As in "KeyError at manifest.py:40"."""
    data: bytes

    @property
    def file_name(self) -> str:
        return f"{self.reader}-{self.number}.bin"

    def command(self, seed: int) -> str:
        """What gives the reader this input once more."""
        return f"python -m trials fuzz --reader {self.reader} --seed {seed} --first {self.number} --inputs 1"


@dataclass(frozen=True)
class Tried:
    """What came of one reader."""

    reader: str
    inputs: int
    refused: int
    seconds: float
    """Of the processor, which may be busy with other things too."""
    slowest: float
    findings: tuple[Finding, ...]

    @classmethod
    def together(cls, parts: Sequence[Tried]) -> Tried:
        """What came of one reader that was tried piece by piece; what was found in several is told once."""
        unique: dict[str, Finding] = {}
        for finding in sorted((finding for part in parts for finding in part.findings), key=lambda each: each.number):
            unique.setdefault(finding.what, finding)
        inputs, refused = sum(part.inputs for part in parts), sum(part.refused for part in parts)
        seconds, slowest = sum(part.seconds for part in parts), max(part.slowest for part in parts)
        return cls(parts[0].reader, inputs, refused, seconds, slowest, tuple(unique.values()))

    def __str__(self) -> str:
        rate = self.inputs / self.seconds if self.seconds else 0.0
        verdict = f"{len(self.findings)} FOUND" if self.findings else "held"
        told = f"{self.inputs:>9,} inputs {self.refused:>9,} refused {rate:>7,.0f}/s slowest {self.slowest:.3f} s"
        return f"{self.reader:<14} {told}  {verdict}"


def main(arguments: list[str]) -> int:
    """Try the readers asked for, and say what did not hold."""
    from trials.readers import READERS

    parser = argparse.ArgumentParser(
        "python -m trials fuzz",
        description="Give every reader inputs that nobody would write.",
        epilog="Example: python -m trials fuzz --inputs 1000 --reader manifests",
    )
    parser.add_argument(
        "--inputs", type=int, default=1_000_000, help="How many in all, the same number for each reader (1,000,000)."
    )
    parser.add_argument("--reader", action="append", choices=sorted(READERS), help="Only this one; may be repeated.")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="Processes (one per core).")
    parser.add_argument("--seed", type=int, default=0, help="Other inputs (0).")
    parser.add_argument("--first", type=int, default=0, help="Begin with the input of this number (0).")
    parser.add_argument("--out", type=Path, default=Path("fuzz-findings"), help="Where inputs go that are found.")
    asked = parser.parse_args(arguments)
    names = asked.reader or list(READERS)
    each = max(1, asked.inputs // len(names))
    print(f"{each * len(names):,} inputs, {each:,} for each of {len(names)} readers, seed {asked.seed}", flush=True)
    begun, found = time.monotonic(), 0
    try:
        for each_reader in _all_tried(names, range(asked.first, asked.first + each), asked.seed, asked.workers):
            print(each_reader, flush=True)
            _keep(each_reader.findings, asked.out, asked.seed)
            found += len(each_reader.findings)
    except KeyboardInterrupt:
        print(f"stopped; {found or 'nothing'} found in the readers above")
        return 130
    print(f"{found or 'nothing'} found, in {time.monotonic() - begun:,.0f} s")
    return 1 if found else 0


def _keep(findings: Sequence[Finding], folder: Path, seed: int) -> None:
    """Write what was found to files, and say how to see it again."""
    for finding in findings:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / finding.file_name
        path.write_bytes(finding.data)
        print(f"  input {finding.number}: {finding.what}; {len(finding.data):,} bytes in {path}")
        print(f"  again: {finding.command(seed)}", flush=True)


def _all_tried(names: Sequence[str], numbers: range, seed: int, workers: int) -> Iterator[Tried]:
    """All readers, each as soon as it is done; several processes try pieces of their inputs at once."""
    with ThreadPoolExecutor(max(1, workers)) as pool:
        pieces = {
            pool.submit(tried, name, first, min(first + _PIECE, numbers.stop), seed): name
            for first in range(numbers.start, numbers.stop, _PIECE)
            for name in names
        }
        done: dict[str, list[Tried]] = {name: [] for name in names}
        left = Counter(pieces.values())
        try:
            for piece in as_completed(pieces):
                name = pieces[piece]
                done[name].append(piece.result())
                left[name] -= 1
                if not left[name]:
                    yield Tried.together(done.pop(name))
        except BaseException:
            _STOPPED.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def tried(name: str, first: int, last: int, seed: int) -> Tried:
    """A reader with inputs `first` to `last - 1`."""
    findings: list[Finding] = []
    refused, slowest, seconds = 0, 0.0, 0.0
    at = first
    while at < last and len(findings) < _MOST_FINDINGS:
        report = _child(name, at, last, seed)
        findings += report["findings"]
        refused, seconds = refused + report["refused"], seconds + report["seconds"]
        slowest, at = max(slowest, report["slowest"]), report["at"]
    unique = {finding.what: finding for finding in reversed(findings)}
    return Tried(name, at - first, refused, seconds, slowest, tuple(reversed(unique.values())))


def _child(name: str, first: int, last: int, seed: int) -> dict[str, Any]:
    """Let a process of its own read inputs, as far as it comes."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    cells = context.Array("d", [first, 0.0, 0.0, 0.0, 0.0], lock=False)
    folder = Path(tempfile.mkdtemp(prefix="railbird-fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    process = context.Process(target=_work, args=(name, first, last, seed, folder, cells, theirs), daemon=True)
    process.start()
    theirs.close()
    findings: list[Finding] = []
    begun = time.monotonic()
    number, since = -1.0, begun
    while True:
        try:
            if ours.poll(0.1):
                findings.append(ours.recv())
                continue
        except EOFError:
            break
        if _STOPPED.is_set():
            process.kill()
            process.join()
            shutil.rmtree(folder, ignore_errors=True)
            raise KeyboardInterrupt
        now = time.monotonic()
        if cells[0] != number:
            number, since = cells[0], now
        if now - since > (_HANG_SECONDS if cells[1] else _STARTING_SECONDS):
            process.kill()
            break
    process.join()
    shutil.rmtree(folder, ignore_errors=True)
    at = int(cells[0])
    if process.exitcode != 0:
        if not cells[1]:
            raise RuntimeError(f"the reader {name!r} could not be made: exit code {process.exitcode}")
        what = "it hangs" if process.exitcode == -9 else f"the process died with code {process.exitcode}"
        findings.append(Finding(name, at, what, cells_input(name, at, seed)))
        at += 1
    seconds = cells[2] or time.monotonic() - begun
    return {"findings": findings, "refused": int(cells[3]), "seconds": seconds, "slowest": cells[4], "at": at}


def cells_input(name: str, number: int, seed: int) -> bytes:
    """The input of a number, which needs the reader's good inputs."""
    from trials.readers import READERS

    with tempfile.TemporaryDirectory() as folder:
        reader = READERS[name](Path(folder))
        return _input(reader, name, number, seed)


def _input(reader: Any, name: str, number: int, seed: int) -> bytes:
    made: bytes = reader.mutated(Random(f"{seed} {name} {number}"), reader.seeds)
    return made


def _work(name: str, first: int, last: int, seed: int, folder: Path, cells: Any, pipe: Connection) -> None:
    """Read inputs and send what is found. The cells tell how far it is, whether it has begun, and how it went."""
    from railbird.bots.talking import leave_with_parent
    from trials.readers import READERS

    warnings.simplefilter("ignore")
    leave_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it ends it
    reader = READERS[name](folder)
    for good in reader.seeds:  # so that all is imported and compiled before the clock runs
        outcome(reader, good)
    _limit_memory()
    cells[1] = 1.0
    seen: set[str] = set()
    begun = time.process_time()
    for number in range(first, last):
        cells[0] = number
        data = _input(reader, name, number, seed)
        what, seconds, is_refused = outcome(reader, data)
        cells[2], cells[3] = time.process_time() - begun, cells[3] + is_refused
        cells[4] = max(cells[4], seconds)
        if what and what not in seen:
            seen.add(what)
            pipe.send(Finding(name, number, what, smaller(reader, data, what)))
            if len(seen) >= _MOST_FINDINGS:
                break
    cells[0] = number + 1
    cells[2] = time.process_time() - begun


def outcome(reader: Any, data: bytes) -> tuple[str, float, bool]:
    """What is wrong with how an input is read, if anything; how long it took, and whether it was refused."""
    from railbird.errors import RailbirdError

    start, what, is_refused = time.process_time(), "", False
    try:
        reader.read(data)
    except RailbirdError as error:
        is_refused = True
        if len(str(error)) > _LONGEST_MESSAGE:
            what = f"a message of more than {_LONGEST_MESSAGE:,} signs at {_place(error)}"
    except Exception as error:
        what = f"{type(error).__name__} at {_place(error)}"
    seconds = time.process_time() - start
    if not what and seconds > MOST_SECONDS:
        what = "it takes too long"
    return what, seconds, is_refused


def smaller(reader: Any, data: bytes, what: str) -> bytes:
    """The input without parts that it does not need to show the same."""
    until = time.monotonic() + _CUTTING_SECONDS
    size = len(data) // 2
    while size and time.monotonic() < until:
        at = 0
        while at < len(data) and time.monotonic() < until:
            without = data[:at] + data[at + size :]
            if outcome(reader, without)[0] == what:
                data = without
            else:
                at += size
        size //= 2
    return data


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "railbird" in frame.filename] or frames
    return f"{Path(own[-1].filename).name}:{own[-1].lineno}"


def _limit_memory() -> None:
    """Let the process have 500 MB more than it has now."""
    with Path("/proc/self/statm").open() as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MOST_BYTES, now + MOST_BYTES))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
