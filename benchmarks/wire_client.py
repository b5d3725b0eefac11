"""A program that plays by a list: `python -m benchmarks.wire_client HOST PORT FILE`, for `benchmarks.wire`."""

from __future__ import annotations

import json
import socket
import sys


def main(host: str, port: str, file: str) -> None:
    """Greet, and answer each state that is in the file's object with what stands there."""
    with open(file, encoding="utf-8") as opened:
        answers = {state.encode(): answer.encode() for state, answer in json.load(opened).items()}
    with socket.create_connection((host, int(port))) as wire:
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        wire.sendall(b"VERSION:2.0.0\r\n")
        rest = b""
        while data := wire.recv(65_536):
            rest += data
            lines = rest.split(b"\r\n")
            rest = lines.pop()
            if lines and lines[-1] in answers:
                wire.sendall(answers[lines[-1]])


if __name__ == "__main__":
    main(*sys.argv[1:])
