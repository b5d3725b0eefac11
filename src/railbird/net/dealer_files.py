"""What the dealer writes: the log of hands, and on request every action, so that an interrupted match can go on.

Each line is written at once and by itself, so a dealer that is killed has lost at most lines that it had not begun.
Where a disk is full, what there is of a line is taken back.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from railbird.errors import IllegalActionError, MatchError
from railbird.files import errors_named, lock
from railbird.game.actions import Action
from railbird.net.dealer_table import Transaction
from railbird.numbers import quoted

_TRANSACTION = re.compile(rb"([fcr]\d{0,15}) (\d{1,10}) (\d{1,12}\.\d{6}) (\d{1,12}\.\d{6})\n")
_LONGEST = 200


class LineFile:
    """A file that grows line by line, and that no other dealer writes at the same time."""

    def __init__(self, path: Path, is_appended: bool) -> None:
        self.path = path
        with errors_named(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            self._keep()
            self._size = os.lseek(self._file, 0, os.SEEK_END)
            if self._size and not is_appended:
                os.ftruncate(self._file, 0)
                self._size = 0

    def add(self, text: str) -> None:
        """Write whole lines."""
        data, written = text.encode(), 0
        try:
            while written < len(data):
                written += os.write(self._file, data[written:] if written else data)
        except OSError:
            with errors_named(self.path):
                if written:
                    with suppress(OSError):
                        os.ftruncate(self._file, self._size)
                raise
        self._size += written

    def _keep(self) -> None:
        try:
            lock(self._file)
        except BlockingIOError:
            os.close(self._file)
            raise MatchError(f"another dealer is writing {str(self.path)!r}; give this match another name") from None
        except OSError:  # a file system without locks
            pass

    def end_line(self) -> None:
        """End the line that somebody else has left without its end."""
        if self._size and os.pread(self._file, 1, self._size - 1) != b"\n":
            self.add("\n")

    def cut_torn_end(self) -> None:
        """Remove what follows the last line end."""
        with self.path.open("rb") as file:
            self._size = sum(len(line) for line in file if line.endswith(b"\n"))
        os.ftruncate(self._file, self._size)

    def close(self) -> None:
        os.close(self._file)


class DealerBooks:
    """The files of a match: NAME.log, and NAME.tlog with the transactions."""

    def __init__(self, name: str, *, log: bool = True, transactions: bool = False, append: bool = False) -> None:
        self.log_path = Path(f"{name}.log") if log else None
        self.keeps_transactions = transactions
        self._transactions_path = Path(f"{name}.tlog")
        self._is_appended = append
        self._log: LineFile | None = None
        self._transactions: LineFile | None = None

    def open(self) -> None:
        """Begin to write; unless it is added to, what was in the files is lost."""
        if self.log_path:
            self._log = LineFile(self.log_path, self._is_appended)
            self._log.end_line()
        if self.keeps_transactions:
            self._transactions = LineFile(self._transactions_path, self._is_appended)
            self._transactions.cut_torn_end()

    def add_hand(self, line: str) -> None:
        if self._log:
            self._log.add(line)

    def add_transaction(self, line: str) -> None:
        assert self._transactions is not None
        self._transactions.add(line)

    def past(self) -> Iterator[Transaction]:
        """The actions of the match so far, where it goes on; refuses a file that is none of them."""
        if not self._transactions:
            return
        path = self._transactions.path
        with path.open("rb") as file:
            at = 0
            while line := file.readline(_LONGEST):
                at += 1
                try:
                    yield parse_transaction(line)
                except MatchError as error:
                    raise MatchError(f"{path}:{at}: {error}") from None

    def close(self) -> None:
        for file in (self._log, self._transactions):
            if file:
                file.close()


def parse_transaction(line: bytes) -> Transaction:
    """An action as it is written down, with the number of the hand and the times of question and answer.

    >>> parse_transaction(b"r300 17 1341695999.222346 1341695999.222410\\n").action
    Action(kind='r', amount=300)
    """
    found = _TRANSACTION.fullmatch(line)
    try:
        if found is None:
            raise IllegalActionError("no transaction")
        action = Action.parse(found[1].decode())
    except IllegalActionError:
        said = quoted(line.decode(errors="replace").strip())
        raise MatchError(f"{said} is no action that was written down (action, hand, two times)") from None
    return Transaction(action, int(found[2]), float(found[3]), float(found[4]))
