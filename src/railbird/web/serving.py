"""What a server is told when it starts, and what its pages share."""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_bytes, token_hex
from tempfile import TemporaryFile

from railbird.errors import RailbirdError

LOOPBACK = ("127.0.0.1", "::1", "localhost")
_LEAST_PASSWORD = 8
_SCRYPT = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}


class ServingError(RailbirdError):
    """A server that cannot be started as asked."""


@dataclass(frozen=True)
class Password:
    """A password as it is kept: salted and hashed, compared in constant time."""

    salt: bytes
    digest: bytes

    @classmethod
    def of(cls, text: str) -> Password:
        if len(text) < _LEAST_PASSWORD:
            raise ServingError(f"a password of {len(text)} signs; it has at least {_LEAST_PASSWORD}")
        salt = token_bytes(16)
        return cls(salt, _hashed(text, salt))

    def is_right(self, text: str) -> bool:
        return hmac.compare_digest(self.digest, _hashed(text, self.salt))


def _hashed(text: str, salt: bytes) -> bytes:
    return hashlib.scrypt(text.encode(), salt=salt, **_SCRYPT)


@dataclass(frozen=True)
class Serving:
    """A server: where its hands are kept, where it listens, who may come in."""

    home: Path
    host: str = "127.0.0.1"
    port: int = 8484
    password: Password | None = None
    """Of a public server; one on loopback asks for none."""
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    certificate: Path | None = None
    key: Path | None = None
    """Of a public server that is reached without a proxy: files, as PEM."""
    secret: bytes = field(default_factory=lambda: bytes.fromhex(token_hex(32)), repr=False)
    """What tokens of forms are made with."""

    def __post_init__(self) -> None:
        if self.host not in LOOPBACK and self.password is None:
            raise ServingError(f"{self.host!r} can be reached from other machines; --public asks for a password first")

        if (self.certificate is None) != (self.key is None):
            raise ServingError("a certificate and its key belong together; name both, or neither")
        for file in (self.certificate, self.key):
            if file is not None and not file.is_file():
                raise ServingError(f"there is no file {str(file)!r}")

    def check_files(self) -> None:
        """Make the folder of the hands; refuse one that cannot be written to, and files that hold no PEM."""
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=self.home):
                pass
        except OSError as error:
            raise ServingError(
                f"{str(self.home)!r} cannot be the folder of the hands: {error.strerror}; name another"
            ) from None
        for option, file, what in (
            ("--certificate", self.certificate, "CERTIFICATE"),
            ("--key", self.key, "PRIVATE KEY"),
        ):
            if file is not None and f"{what}-----".encode() not in file.read_bytes():
                raise ServingError(f"{str(file)!r} is no PEM file: {option} names one with the line 'BEGIN {what}'")

    @property
    def is_public(self) -> bool:
        return self.password is not None

    @property
    def address(self) -> str:
        """What a browser is pointed at."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' if self.certificate else ''}://{host}:{self.port}/"
