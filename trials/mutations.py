"""Bad inputs made from good ones: bits and slices changed, numbers that nobody would write, parts said twice or a
thousand times, JSON with other things in its places, archives packed anew around a part that was changed."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Any

NUMBERS = [
    *("0", "-1", "1", "2", "3", "4", "5", "9", "13", "23", "24", "52", "255", "256", "1000", "-0", "00", "1e3", "0.5"),
    *("32768", "65536", "2147483648", "4294967296", "9007199254740993", "9223372036854775808", "-9223372036854775809"),
    *("18446744073709551616", "1000000000000", "99999999999999999999", "1e308", "1e999", "-1e999", "NaN", "Infinity"),
    *("9" * 40, "9" * 400, "9" * 4301, "1" + "0" * 5000, "0x10", "1_000", "٣", "²", "1.", ".5", "+7", "--1"),
]
VALUES: list[Any] = [
    *(None, True, False, 0, -1, 1, 0.5, 2**31, 2**32, 2**53, 2**63, 2**64, 10**20, 10**400, 1e308),
    *(
        float("inf"),
        float("-inf"),
        float("nan"),
        "",
        "0",
        "x",
        "\0",
        "\ud800",
        "a" * 5000,
        "../../x",
        "|:/\n",
        "é\u202e",
    ),
    *([], {}, [[]], [None], {"": None}, [0] * 100, "\x1b[2J"),
]
_NUMBER = re.compile(rb"\d+")
_MOST = 20_000
_RARELY = 1_000_000


def mutated(random: Random, seeds: Sequence[bytes]) -> bytes:
    """A bad input: a good one that was changed once or a few times, or bytes by chance."""
    if random.random() < 0.03:
        return random.randbytes(int(2 ** random.uniform(0, 12)))
    data = random.choice(seeds)
    for _ in range(1 + int(random.expovariate(0.7))):
        data = random.choice(_CHANGES)(random, data, seeds)
    return data[: _RARELY if random.random() < 0.002 else _MOST]


def _flip(random: Random, data: bytes, _seeds: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(1 + int(random.expovariate(1))):
        if changed:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _set_byte(random: Random, data: bytes, _seeds: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + bytes([random.choice(b'\0\n\r\t "#/:;|,{}[]\\-+.09rcfAKs\x7f\x80\xff')]) + data[at + 1 :]


def _cut(random: Random, data: bytes, _seeds: Sequence[bytes]) -> bytes:
    first, last = _slice(random, data)
    return data[:first] + data[last:]


def _truncate(random: Random, data: bytes, _seeds: Sequence[bytes]) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _repeat(random: Random, data: bytes, _seeds: Sequence[bytes]) -> bytes:
    first, last = _slice(random, data)
    times = random.choice((2, 2, 2, 3, 10, 100, 10_000))
    return data[:first] + data[first:last] * min(times, 1 + _RARELY // max(1, last - first)) + data[last:]


def _insert(random: Random, data: bytes, _seeds: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.randbytes(random.randrange(1, 9)) + data[at:]


def _splice(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    other = random.choice(seeds)
    first, last = _slice(random, other)
    at, until = _slice(random, data)
    return data[:at] + other[first:last] + data[until:]


def _renumber(random: Random, data: bytes, _seeds: Sequence[bytes]) -> bytes:
    found = list(_NUMBER.finditer(data[:_MOST]))
    if not found:
        return data
    place = random.choice(found)
    return data[: place.start()] + random.choice(NUMBERS).encode() + data[place.end() :]


def _swap(random: Random, data: bytes, _seeds: Sequence[bytes]) -> bytes:
    (a, b), (c, d) = sorted((_slice(random, data), _slice(random, data)))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[max(b, d) :]


_CHANGES = (_flip, _set_byte, _cut, _truncate, _repeat, _insert, _splice, _renumber, _renumber, _swap)


def _slice(random: Random, data: bytes) -> tuple[int, int]:
    first = random.randrange(len(data) + 1)
    return first, min(len(data), first + int(random.expovariate(1 / 8)))


def mutated_json(random: Random, seeds: Sequence[bytes]) -> bytes:
    """JSON in which one thing or a few are another, or gone, or there twice; at times broken as any text."""
    if random.random() < 0.3:
        return mutated(random, seeds)
    if random.random() < 0.005:
        return random.choice((b"[", b'{"a":')) * random.choice((50, 1_000, 200_000))
    try:
        found = json.loads(random.choice(seeds))
    except (ValueError, RecursionError):  # it was changed before
        return mutated(random, seeds)
    for _ in range(1 + int(random.expovariate(1))):
        holder, key = random.choice(list(_places(found)) or [(None, None)])
        if holder is None:
            return json.dumps(random.choice(VALUES)).encode()
        if random.random() < 0.2:
            del holder[key]
        elif random.random() < 0.15 and isinstance(holder, list):
            holder.insert(random.randrange(len(holder) + 1), holder[key])
        elif random.random() < 0.1:
            inner: Any = []
            for _ in range(random.choice((1, 30, 40, 90))):
                inner = [inner]
            holder[key] = inner
        else:
            other = random.choice(list(_places(found)))
            holder[key] = deepcopy(random.choice((random.choice(VALUES), random.choice(VALUES), other[0][other[1]])))
    try:
        return json.dumps(found).encode()
    except (ValueError, RecursionError):  # something that holds itself
        return b"[]"


def _places(found: Any) -> list[tuple[Any, Any]]:
    """Every place in JSON where a value stands."""
    places: list[tuple[Any, Any]] = []
    waiting = [found]
    while waiting and len(places) < 10_000:
        holder = waiting.pop()
        inside = list(holder.items()) if isinstance(holder, dict) else list(enumerate(holder))
        places += [(holder, key) for key, _ in inside]
        waiting += [value for _, value in inside if isinstance(value, dict | list)]
    return places


def mutated_archive(random: Random, seeds: Sequence[bytes]) -> bytes:
    """A file of arrays in which one part was changed, with the right checksum; at times broken as any bytes."""
    if random.random() < 0.3:
        return mutated(random, seeds)
    with zipfile.ZipFile(io.BytesIO(random.choice(seeds))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(1 + int(random.expovariate(1))):
        name = random.choice([*parts, "about.npy", "about.npy", "counts.npy"])
        head, text = parts.get(name, b"")[:128], parts.get(name, b"")[128:]
        if random.random() < 0.1:
            parts.pop(name, None)
        elif name == "about.npy" and text and random.random() < 0.8:
            text = mutated_json(random, [text]) if text.startswith(b"{") else text
            size = re.sub(rb"\(\d+,\)", b"(%d,)" % len(text), head, count=1).rstrip()
            parts[name] = size.ljust(127)[:127] + b"\n" + text
        elif random.random() < 0.5:
            parts[name] = mutated(random, [head]) + text
        else:
            parts[name] = head + mutated(random, [text])
    made = io.BytesIO()
    how = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
    with zipfile.ZipFile(made, "w", how, compresslevel=1) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()


def mutated_tables(random: Random, seeds: Sequence[bytes]) -> bytes:
    """A file of tables with another header, or other content with the right checksum."""
    if random.random() < 0.3:
        return mutated(random, seeds)
    first, _, rest = random.choice(seeds).partition(b"\n")
    content = rest[-(len(first) + 1) % 64 :]
    if random.random() < 0.5:
        at = random.randrange(0, max(1, len(content) - 64))
        content = content[:at] + random.choice((b"\xff" * 8, bytes(8), random.randbytes(8))) + content[at + 8 :]
    header = json.loads(first)
    header["checksum"] = zlib.crc32(content)
    line = json.dumps(header).encode()
    if random.random() < 0.7:
        line = mutated_json(random, [line]).replace(b"\n", b"")
    line += b"\n"
    return line + bytes(-len(line) % 64) + content
