"""Bots that outwit the time limit."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import suppress

from railbird.bots.base import Bot
from railbird.game.actions import CALL


class SwallowsLimit(Bot):
    """Swallows the exception that ends its time, and answers late."""

    in_match = "timeout"
    in_check = "too-slow|hangs"

    def act(self, view):
        try:  # noqa: SIM105
            time.sleep(1.6)
        except:  # noqa: E722
            pass
        return CALL


class SwallowsLimits(Bot):
    """Swallows it as often as it comes."""

    in_match = "timeout"
    in_check = "too-slow|hangs"

    def act(self, view):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass


class StopsAlarm(Bot):
    """Stops the alarm, and sleeps."""

    in_match = "timeout"
    in_check = "too-slow|hangs"

    def act(self, view):
        signal.setitimer(signal.ITIMER_REAL, 0)
        time.sleep(100)
        return CALL


class BlocksSignals(Bot):
    """Blocks all signals, and sleeps."""

    in_match = "timeout"
    in_check = "too-slow|hangs"

    def act(self, view):
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        time.sleep(100)
        return CALL


class IgnoresSignals(Bot):
    """Has all signals ignored, and loops."""

    in_match = "timeout"
    in_check = "too-slow|hangs"

    def act(self, view):
        for each in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(each, signal.SIG_IGN)
        while True:
            pass


class StopsClocks(Bot):
    """Has all clocks stand still, and answers late."""

    in_match = "timeout"
    in_check = "too-slow|hangs"

    def act(self, view):
        time.monotonic = time.time = time.perf_counter = lambda: 0.0
        with suppress(BaseException):
            time.sleep(1.6)
        return CALL


class HoldsTheInterpreter(Bot):
    """Has threads that take the interpreter while it thinks."""

    in_match = "timeout"
    in_check = "too-slow|hangs"

    def act(self, view):
        for _ in range(4):
            threading.Thread(target=sum, args=(range(10**15),), daemon=True).start()
        while True:
            pass
