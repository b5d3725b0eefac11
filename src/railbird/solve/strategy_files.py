"""Strategies and checkpoints on disk: arrays and a description in one zip file of NumPy's `.npz` format.

Every part carries a checksum (zip's CRC-32), which reading verifies. A file appears whole or not at all.

A file from somebody else may claim anything, and a small one unpack to gigabytes. So its description is read first, and
an array only when its type and shape, which its own first bytes tell, are what they should be.
"""

from __future__ import annotations

import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError
from railbird.files import open_whole
from railbird.json_files import MOST_BYTES, Fields, json_of
from railbird.numbers import quoted

Shape = tuple[int, ...]

_FIRST_BYTES = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<|][iufb][1248])', 'fortran_order': False, 'shape': \(((?:\d{1,12}, ?)*(?:\d{1,12})?)\), \} *\n"
)
_MUCH, _MOST_PACKED = 100_000_000, 100
"""Arrays of so many bytes must not be packed by a larger factor."""
_LONGEST_HEADER, _LONGEST_KIND, _LONGEST_REASON = 1_000, 60, 300
_LONGEST_DIRECTORY = 20_000
_END = struct.Struct("<4s4H2LH")
_SMALL = 2**32 - 1
"""Files that are smaller have a plain directory."""


def write_arrays(
    path: Path,
    kind: str,
    version: int,
    about: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    compressed: bool = True,
) -> None:
    """Write arrays with a description; `kind` and `version` are what `open_arrays` must ask for."""
    text = json.dumps({"kind": kind, "version": version, **about}).encode()
    how = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with open_whole(path) as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in {"about": np.frombuffer(text, np.uint8), **arrays}.items():
            told = zipfile.ZipInfo(f"{name}.npy")
            told.compress_type = how
            with archive.open(told, "w", force_zip64=True) as part:
                np.lib.format.write_array(part, np.ascontiguousarray(array), allow_pickle=False)


class ArrayFile:
    """A file of arrays that is open. Make one with `open_arrays`."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.names = [name.removesuffix(".npy") for name in archive.namelist()]
        self.about: dict[str, Any] = {}
        """The description."""

    def shape(self, name: str) -> Shape:
        """The shape that an array claims to have."""
        with self._opened(name) as part:
            return _told(part, name)[1]

    def array(self, name: str, kind: str, shape: Shape) -> NDArray[Any]:
        """An array, whose type and shape must be these."""
        size = np.dtype(kind).itemsize * prod(shape)
        with self._opened(name) as part:
            found = _told(part, name)
            if found != (kind, shape):
                raise ValueError(f"{name} is {_in_words(*found)} where {_in_words(kind, shape)} belongs")
            packed = self._archive.getinfo(f"{name}.npy").compress_size
            if size > max(_MUCH, _MOST_PACKED * packed):
                raise ValueError(f"{name} would unpack from {packed:,} bytes to {size:,}")
            content = bytearray(part.read(size))
            if len(content) != size or part.read(1):
                raise ValueError(f"{name} is not as long as it says")
        return np.frombuffer(content, kind).reshape(shape)

    def described(self) -> Fields:
        """What the description says."""
        shape = self.shape("about")
        if len(shape) != 1 or shape[0] > MOST_BYTES:
            raise ValueError("no description")
        return Fields(json_of(self.array("about", "|u1", shape).tobytes()), "the description")

    @contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        try:
            told = self._archive.getinfo(f"{name}.npy")
        except KeyError:
            raise ValueError(f"there is no {name!r} in it") from None
        if told.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{name} is packed in another way")
        with self._archive.open(told) as part:
            yield part


@contextmanager
def open_arrays(path: Path, kind: str, version: int) -> Iterator[ArrayFile]:
    """A file of arrays, to take them from; refuses one that is damaged, of another kind or of another version.

    Whatever is found to be wrong while it is open is said of the file.
    """
    name = quoted(str(path), 200)
    try:
        with path.open("rb") as file:
            try:
                _check_directory(file)
                opened = ArrayFile(zipfile.ZipFile(file))
                described = opened.described()
                found, found_version = described.text("kind"), described.whole("version")
            except _DAMAGE as error:
                raise RailbirdError(f"{name} is damaged, or is no {kind}: {str(error)[:_LONGEST_REASON]}") from None
            if found != kind:
                raise RailbirdError(f"{name} is a {found[:_LONGEST_KIND]}, not a {kind}")
            if found_version != version:
                raise RailbirdError(
                    f"{name} is a {kind} of version {found_version}; this Railbird reads version {version}"
                )
            opened.about = {key: part for key, part in described.found.items() if key not in ("kind", "version")}
            try:
                yield opened
            except _DAMAGE as error:
                raise RailbirdError(f"{name} is damaged: {str(error)[:_LONGEST_REASON]}") from None
    except OSError as error:
        raise RailbirdError(f"cannot read {name}: {error.strerror or error}") from None


_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    ValueError,
    RuntimeError,
)
"""What a damaged zip file raises, or an encrypted one, and arrays that are not what they should be."""


def _check_directory(file: IO[bytes]) -> None:
    """Refuse a file whose directory is longer than that of a few arrays, before it is read."""
    size = file.seek(0, 2)
    if size < _END.size:
        raise ValueError("no zip file")
    file.seek(-_END.size, 2)
    first, _, _, _, _, length, _, comment = _END.unpack(file.read(_END.size))
    if first != b"PK\5\6" or comment or length > _LONGEST_DIRECTORY:
        raise ValueError("no zip file of a few arrays")
    file.seek(max(0, size - _END.size - 20))
    if size < _SMALL and file.read(4) == b"PK\6\7":
        raise ValueError("no zip file of a few arrays")
    file.seek(0)


def _told(part: IO[bytes], name: str) -> tuple[str, Shape]:
    """Type and shape of an array by its first bytes, as NumPy writes them."""
    first = part.read(len(_FIRST_BYTES) + 2)
    length = int.from_bytes(first[-2:], "little")
    header = part.read(length) if len(first) == len(_FIRST_BYTES) + 2 and length <= _LONGEST_HEADER else b""
    found = _HEADER.fullmatch(header) if first.startswith(_FIRST_BYTES) else None
    if found is None:
        raise ValueError(f"{name} is no array")
    shape = tuple(int(size) for size in found[2].decode().split(",") if size.strip())
    return found[1].decode(), shape


def _in_words(kind: str, shape: Shape) -> str:
    return f"{'x'.join(map(str, shape)) or 'one'} of {kind.strip('<|')}"
