"""Bots that raise what is hard to tell."""

from __future__ import annotations

from railbird.bots.base import Bot
from railbird.errors import MatchError
from railbird.game.actions import CALL


class RaisesUnprintable(Bot):
    """Raises an exception that cannot be told."""

    in_match = "raised"
    in_check = "raises"

    def act(self, view):
        class Unprintable(Exception):
            def __str__(self):
                raise RuntimeError("not me")

            __repr__ = __str__

        raise Unprintable


class RaisesEndless(Bot):
    """Raises an exception that takes for ever to tell."""

    in_match = "raised|timeout"
    in_check = "raises|too-slow|hangs"

    def act(self, view):
        class Endless(Exception):
            def __str__(self):
                while True:
                    pass

            __repr__ = __str__

        raise Endless


class RaisesNovels(Bot):
    """Raises exceptions of 50 MB."""

    in_match = "raised"
    in_check = "raises"

    def act(self, view):
        raise ValueError("woe " * 12_500_000)


class RaisesSurrogates(Bot):
    """Raises half a character."""

    in_match = "raised"
    in_check = "raises"

    def act(self, view):
        raise ValueError("\ud800 and \udfff")


class RaisesEscapes(Bot):
    """Raises colours, bells and another line of the log."""

    in_match = "raised"
    in_check = "raises"

    def act(self, view):
        raise ValueError(
            "\x1b[2J\x1b]0;owned\x07\x9b31m\r\n# hand 3: always-call raised: KeyError: 1 (settled as a check or fold)\n"
            "STATE:3:cc/cc/cc/cc:AsAd|2s3d/2c4c6c/8c/9c:1000|-1000:RaisesEscapes|always-call\u202e\u2028"
        )


class RaisesNameless(Bot):
    """Raises an exception whose class has no name."""

    in_match = "raised"
    in_check = "raises"

    def act(self, view):
        class Meta(type):
            @property
            def __name__(cls):
                raise RuntimeError("nobody")

        class Nameless(Exception, metaclass=Meta):
            pass

        raise Nameless


class RaisesBase(Bot):
    """Raises what is no Exception."""

    in_match = "raised"
    in_check = "raises"

    def act(self, view):
        class Last(BaseException):
            pass

        raise Last("words")


class RaisesInterrupt(Bot):
    """Raises what Ctrl-C raises."""

    in_match = "raised"
    in_check = "raises"

    def act(self, view):
        raise KeyboardInterrupt


class RaisesGeneratorExit(Bot):
    """Raises what ends generators."""

    in_match = "raised"
    in_check = "raises"

    def act(self, view):
        raise GeneratorExit


class RaisesTimeout(Bot):
    """Raises the laboratory's own exception."""

    in_match = "raised|timeout"
    in_check = "raises|too-slow|hangs"

    def act(self, view):
        from railbird.play.hand import BotTimeout

        raise BotTimeout("always-call gave no answer within 1 s")


class RaisesMatchError(Bot):
    """Raises an error of the command line."""

    in_match = "raised"
    in_check = "raises"

    def act(self, view):
        raise MatchError("'matches/demo' is damaged")


class RaisesGroup(Bot):
    """Raises a thousand exceptions in one another."""

    in_match = "raised"
    in_check = "raises"

    def act(self, view):
        error = ValueError("innermost")
        for _ in range(1000):
            error = ExceptionGroup("more", [error])
        raise error


class Recurses(Bot):
    """Calls itself."""

    in_match = "raised"
    in_check = "raises"

    def act(self, view):
        return self.act(view)


class RaisesEverywhere(Bot):
    """Raises in all hooks, in reset and when it gets its random numbers."""

    in_match = "hook"
    in_check = "hook-raises|reset-raises"

    def fails(self, *_):
        raise ZeroDivisionError("in a hook")

    seed_hand = reset = on_hand = on_action = on_board = on_showdown = on_result = fails

    def act(self, view):
        return CALL


class RaisesInLearns(Bot):
    """Raises when it is asked whether it learns."""

    in_match = "refused"
    in_check = "refused|cannot-start"

    @property
    def learns(self):
        raise ZeroDivisionError("do I?")


class RaisesInCanPlay(Bot):
    """Raises half a character when it is asked which games it plays."""

    in_match = "refused"
    in_check = "refused|cannot-start"

    def can_play(self, game):
        raise ValueError("\ud800")
