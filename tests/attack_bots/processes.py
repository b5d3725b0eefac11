"""Bots that leave something running."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import time

from railbird.bots.base import Bot
from railbird.game.actions import CALL

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


class Forks(Bot):
    """Forks in its first decision; both go on."""

    in_match = "plays|timeout|raised"
    in_check = "fit|exits|hangs|raises|too-slow"
    forked = False

    def act(self, view):
        if not Forks.forked:
            Forks.forked = True
            os.fork()
        return CALL


class ForksMuch(Bot):
    """Forks 30 processes that sleep."""

    in_match = "plays|raised|timeout"
    in_check = "fit|raises|exits|too-slow|hangs"
    forked = 0

    def act(self, view):
        while ForksMuch.forked < 30:
            ForksMuch.forked += 1
            if os.fork() == 0:
                time.sleep(600)
                os._exit(0)
        return CALL


class Daemonises(Bot):
    """Leaves a process with a session of its own."""

    in_match = "plays|raised|timeout"
    in_check = "fit|raises|exits"
    forked = False

    def act(self, view):
        if not Daemonises.forked:
            Daemonises.forked = True
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    time.sleep(600)
                os._exit(0)
        return CALL


class Hides(Bot):
    """Leaves a daemon with no environment, no open files and another name."""

    in_match = "plays|raised|timeout"
    in_check = "fit|raises|exits"
    forked = False

    def act(self, view):
        if not Hides.forked:
            Hides.forked = True
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    os.closerange(0, 256)
                    os.execve(sys.executable, ["[kworker]", *SLEEP[1:]], {})
                os._exit(0)
        return CALL


class LeavesProgram(Bot):
    """Starts a program in every hand and never waits for it (30 at most)."""

    in_match = "plays|raised"
    in_check = "fit|raises|hook-raises"

    def __init__(self):
        self.started = []

    def act(self, view):
        if len(self.started) < 30:
            self.started.append(subprocess.Popen(SLEEP))
        return CALL


class LeavesThreads(Bot):
    """Leaves threads that never end, and that Python would wait for."""

    in_match = "plays|timeout|raised"
    in_check = "fit|too-slow|hangs|raises|exits"

    def __init__(self):
        self.threads = [threading.Thread(target=time.sleep, args=(600,)) for _ in range(5)]

    def prepare(self):
        for thread in self.threads:
            thread.start()

    def act(self, view):
        return CALL


class LeavesWorkers(Bot):
    """Leaves processes of multiprocessing."""

    in_match = "plays|raised"
    in_check = "fit|raises|cannot-start"

    def prepare(self):
        context = multiprocessing.get_context("fork")
        for _ in range(5):
            context.Process(target=time.sleep, args=(600,)).start()

    def act(self, view):
        return CALL


class AsksTwice(Bot):
    """Forks in every decision, and has the child answer first."""

    in_match = "plays|timeout|raised"
    in_check = "fit|exits|hangs|raises|too-slow"
    forks = 0

    def act(self, view):
        if AsksTwice.forks < 30 and (child := os.fork()):
            AsksTwice.forks += 1
            os.waitpid(child, 0)
        return CALL
