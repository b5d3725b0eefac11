"""Promises of deals: before a hand its cards are fixed by a hash, and after it everybody can check what he has seen.

The cards of a hand are the hole cards by position and then the board. Each has a salt, the SHA-256 of the hand's nonce
and the card's place; the SHA-256 of salt and card is its seal; the SHA-256 of all seals in their order is the promise.
So a seat can be told the salts of the cards that it may see and the seals of the others, and the promise is checked
without showing what was folded. Nonces follow from the secret key of the match, so they need not be kept.

    promises.jsonl    in the match folder: a line before each hand with its promise, one after it with nonce and cards
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from railbird.cards import card_text, cards_text, parse_cards
from railbird.errors import MatchError
from railbird.json_files import Fields, json_of
from railbird.play.dealing import deals
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.randomness import SecretSeed

PROMISES = "promises.jsonl"
_NONCE_BYTES = 32


@dataclass(frozen=True)
class Promise:
    """The cards of a hand under seal."""

    hand: int
    nonce: bytes
    cards: tuple[int, ...]
    """Hole cards by position, then the whole board."""

    @cached_property
    def salts(self) -> list[bytes]:
        return [sha256(self.nonce + bytes([place])).digest() for place in range(len(self.cards))]

    @cached_property
    def seals(self) -> list[bytes]:
        return [sha256(salt + card_text(card).encode()).digest() for salt, card in zip(self.salts, self.cards)]

    @property
    def digest(self) -> str:
        """What is told before the hand."""
        return sha256(b"".join(self.seals)).hexdigest()

    def opened(self, seen: Collection[int]) -> list[dict[str, str]]:
        """What is told after it to somebody who has seen these cards: their salts, and the seals of the others."""
        return [
            {"card": card_text(card), "salt": salt.hex()} if card in seen else {"seal": seal.hex()}
            for card, salt, seal in zip(self.cards, self.salts, self.seals)
        ]


def promise_of(spec: MatchSpec, hand: int) -> Promise:
    """The promise of a hand of a match whose secret key is known here."""
    assert isinstance(spec.seed, SecretSeed)
    deal = next(deals(spec.game, spec.seed, hand, 1))
    cards = tuple(card for hole in deal.holes for card in hole) + deal.board
    return Promise(hand, nonce_of(spec.seed, hand), cards)


def nonce_of(seed: SecretSeed, hand: int) -> bytes:
    """What makes the promise of a hand impossible to guess."""
    words = _NONCE_BYTES // 8
    return seed.hand_seeds("nonce", words * hand, words)


class Promises:
    """The promises of a match that is being played, written to its folder before anybody is told."""

    def __init__(self, folder: MatchFolder) -> None:
        self.spec = folder.spec
        self.path = folder.path / PROMISES
        self.now: Promise | None = None
        """That of the hand which is played, or was played last."""
        self._promised = self._told = 0
        """Hands before these are in the file."""
        _cut_torn_end(self.path)
        for line in _whole_lines(self.path):
            self._promised = max(self._promised, line.hand + 1)
            if line.nonce:
                self._told = max(self._told, line.hand + 1)

    def promise(self, hand: int) -> Promise:
        """Promise the cards of a hand, once."""
        self.now = found = promise_of(self.spec, hand)
        if hand >= self._promised:
            self._write({"hand": hand, "promise": found.digest})
            self._promised = hand + 1
        return found

    def tell_until(self, hands: int) -> None:
        """Tell the nonces and cards of the hands before `hands`, which are over."""
        for hand in range(self._told, min(hands, self._promised)):
            found = self.now if self.now and self.now.hand == hand else promise_of(self.spec, hand)
            told = {"nonce": found.nonce.hex(), "cards": cards_text(found.cards)}
            self._write({"hand": hand, "promise": found.digest, **told})
        self._told = max(self._told, min(hands, self._promised))

    def _write(self, line: dict[str, Any]) -> None:
        try:
            with self.path.open("ab") as file:
                file.write(json.dumps(line).encode() + b"\n")
        except OSError as error:
            raise MatchError(f"cannot write {str(self.path)!r}: {error.strerror}") from None


@dataclass(frozen=True)
class PromiseLine:
    """A line of the file: the promise, and after the hand what it was made of."""

    hand: int
    digest: str
    nonce: bytes = b""
    cards: tuple[int, ...] = ()


def read_promises(folder: Path) -> list[PromiseLine]:
    """The lines of a folder's promises, none if it has made none. A torn last line is left out."""
    return list(_whole_lines(folder / PROMISES))


def _whole_lines(path: Path) -> Iterator[PromiseLine]:
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return
    except OSError as error:
        raise MatchError(f"cannot read {str(path)!r}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        try:
            told = Fields(json_of(line), "the promise")
            nonce, cards = (told.text("nonce"), told.text("cards")) if "nonce" in told.found else ("", "")
            digest = told.text("promise")
            yield PromiseLine(told.whole("hand"), digest, bytes.fromhex(nonce), parse_cards(cards) if cards else ())
        except ValueError as error:
            raise MatchError(f"{str(path)!r}, line {number}, is no promise: {error}") from None


def _cut_torn_end(path: Path) -> None:
    """Remove what a process that was killed has left of a line."""
    try:
        content = path.read_bytes()
        if not content.endswith(b"\n"):
            os.truncate(path, content.rfind(b"\n") + 1)
    except FileNotFoundError:
        return
    except OSError as error:
        raise MatchError(f"cannot write {str(path)!r}: {error.strerror}") from None
