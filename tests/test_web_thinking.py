"""Processes that think for the server: they answer while they warm up, and are replaced when they fail."""

import asyncio
import os
import sys
import time

import pytest

from railbird.errors import RailbirdError
from railbird.web import thinking
from railbird.web.thinking import Thinkers, ThinkingError


def endless_warmth():
    while True:
        yield


def broken_warmth():
    yield
    raise RuntimeError("cannot be loaded")


def refuse():
    raise RailbirdError("no such cards")


def sleep_for(seconds):
    time.sleep(seconds)


def die():
    os._exit(1)


def eat(megabytes):
    return len(bytearray(megabytes << 20))


def with_thinkers(question, **settings):
    """What comes of a question to new thinkers."""

    async def asked():
        thinkers = Thinkers(1, **settings)
        try:
            return await question(thinkers)
        finally:
            thinkers.end()

    return asyncio.run(asked())


@pytest.mark.parametrize("warm", [endless_warmth, broken_warmth])
def test_a_thinker_answers_before_it_is_warm(warm):
    assert with_thinkers(lambda thinkers: thinkers.think(len, "abc"), warm=warm) == 3


def test_what_work_refuses_is_raised_here():
    with pytest.raises(RailbirdError, match="no such cards"):
        with_thinkers(lambda thinkers: thinkers.think(refuse))


def test_one_that_is_late_is_replaced(monkeypatch):
    monkeypatch.setattr(thinking, "COLD_SECONDS", 0.0)

    async def question(thinkers):
        with pytest.raises(ThinkingError, match=r"longer than 0\.5 seconds"):
            await thinkers.think_within(0.5, sleep_for, 600)
        return await thinkers.think_within(300, len, "ab")

    assert with_thinkers(question) == 2


def test_one_that_dies_is_replaced():
    async def question(thinkers):
        with pytest.raises(ThinkingError):
            await thinkers.think(die)
        return await thinkers.think(len, "ab")

    assert with_thinkers(question) == 2


def test_too_much_memory_is_refused():
    with pytest.raises(ThinkingError, match="more memory"):
        with_thinkers(lambda thinkers: thinkers.think(eat, 4_000), memory_mb=2_048)


def test_short_answers_do_not_wait_for_long_ones():
    async def question(thinkers):
        long = asyncio.create_task(thinkers.think_within(300, sleep_for, 600))
        await asyncio.sleep(0)
        found = [await thinkers.think(len, "abc") for _ in range(3)]
        assert not long.done()
        long.cancel()
        return found

    assert with_thinkers(question) == [3, 3, 3]


def test_a_process_works_where_this_one_does(monkeypatch, tmp_path):
    """Not where the one was started from which all are forked."""
    with_thinkers(lambda thinkers: thinkers.think(len, "a"))
    monkeypatch.setenv("RAILBIRD_STATE", "there")
    monkeypatch.chdir(tmp_path)
    assert with_thinkers(lambda thinkers: thinkers.think(os.getenv, "RAILBIRD_STATE")) == "there"
    assert with_thinkers(lambda thinkers: thinkers.think(os.getcwd)) == str(tmp_path)


def is_loaded(name):
    return name in sys.modules


def test_processes_begin_with_all_that_kernels_need():
    """Numba loads its rules for types, and SciPy for them, before the first kernel runs, which takes up to a second."""
    for name in ("numba.np.arraymath", "railbird.web.strengths"):
        assert with_thinkers(lambda thinkers, name=name: thinkers.think(is_loaded, name))
