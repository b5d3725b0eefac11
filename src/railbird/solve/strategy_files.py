"""Strategies and checkpoints on disk: arrays and a description in one zip file of NumPy's `.npz` format.

Every part carries a checksum (zip's CRC-32), which reading verifies. A file appears whole or not at all.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError
from railbird.files import open_whole

Arrays = dict[str, NDArray[Any]]


def write_arrays(
    path: Path,
    kind: str,
    version: int,
    about: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    compressed: bool = True,
) -> None:
    """Write arrays with a description; `kind` and `version` are what `read_arrays` must ask for."""
    text = json.dumps({"kind": kind, "version": version, **about}).encode()
    how = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with open_whole(path) as file, zipfile.ZipFile(file, "w", how) as archive:
        for name, array in {"about": np.frombuffer(text, np.uint8), **arrays}.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as part:
                np.lib.format.write_array(part, np.ascontiguousarray(array), allow_pickle=False)


def read_arrays(path: Path, kind: str, version: int) -> tuple[dict[str, Any], Arrays]:
    """The description and the arrays of a file; refuses one that is damaged, of another kind or of another version."""
    name = str(path)
    arrays: Arrays = {}
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RailbirdError(f"cannot read {name!r}: {error.strerror}") from None
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for part in archive.namelist():
                with archive.open(part) as file:
                    arrays[part.removesuffix(".npy")] = np.lib.format.read_array(
                        io.BytesIO(file.read()), allow_pickle=False
                    )
        about = json.loads(arrays.pop("about").tobytes())
        found, found_version = about.pop("kind"), about.pop("version")
    except (
        zipfile.BadZipFile,
        zlib.error,
        KeyError,
        ValueError,
        EOFError,
        NotImplementedError,
        AttributeError,
    ) as error:
        raise RailbirdError(f"{name!r} is damaged, or is no {kind}: {error}") from None
    if found != kind:
        raise RailbirdError(f"{name!r} is a {found}, not a {kind}")
    if found_version != version:
        raise RailbirdError(f"{name!r} is a {kind} of version {found_version}; this Railbird reads version {version}")
    return about, arrays
