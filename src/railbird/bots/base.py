"""What a player is: the `Bot` that all players extend."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from railbird.cards import holding_index
from railbird.errors import UnknownBotError
from railbird.game.actions import CALL, FOLD, Action, ProbabilityTriple
from railbird.game.betting import Betting
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.randomness import Stream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from railbird.bots.decision import Decision
    from railbird.solve.policy import Policy


class Bot:
    """A player. Write `act`, or `explain`; add the `on_...` hooks you need to learn from what happens at the table.

    A bot is told the parameters of its constructor as text on the command line (`mybot:tightness=0.6`), so give them
    annotations and defaults. All randomness must come from `self.rng`, which is new in every hand and depends only on
    the match seed, the hand and the seat.

    What a bot remembers from one hand to the next may change in hooks only, never in `act`: an interrupted match is
    resumed by showing the bot the recorded hands again. A bot that remembers says so with `learns = True`.
    """

    learns: bool = False
    """Whether earlier hands change later decisions. Learners play their hands in order."""

    hands_at_once: int = 0
    """For a bot that waits for something elsewhere, such as a language model: how many hands it may play at once. 0: it
    computes, and as many are played at once as there are cores."""

    is_program: bool = False
    """Whether another program decides, which is started anew where a bot would be reset."""

    tells_quickly: bool = False
    """Whether `probabilities` of every holding take well below a millisecond, so that comparisons and tests ask for
    them in all their hands. A bot with a `table_policy` is asked anyway."""

    _stream_key: tuple[int, ...] = (0,)
    _stream: Stream | None = None

    @property
    def rng(self) -> Stream:
        """This hand's random numbers."""
        if self._stream is None:
            self._stream = Stream(*self._stream_key)
        return self._stream

    def seed_hand(self, *key: int) -> None:
        """Start this hand's random numbers; the match calls it before each hand."""
        self._stream_key = key
        self._stream = None

    def can_play(self, game: Game) -> bool:
        """Whether this bot knows the game; a match with one that does not is refused."""
        return True

    def prepare(self) -> None:
        """Load and compile whatever `act` needs; called before a match begins, when no clock is running."""

    def act(self, view: PlayerView) -> Action:
        """The decision in `view`. An illegal answer, an exception or a timeout counts as a check, or else a fold."""
        if type(self).explain is Bot.explain:
            raise NotImplementedError(f"{type(self).__name__} does not say how to act")
        return self.explain(view).action

    def explain(self, view: PlayerView) -> Decision:
        """The same decision with its reasons: for the same hand and seed, `explain(view).action == act(view)`.

        A bot need not explain. One that does is understood by `railbird explain`, and need not write `act`.
        """
        name = type(self).__name__
        raise UnknownBotError(
            f"{name} gives no reasons; add explain(self, view) -> Decision to it (docs/howto-write-a-bot.md)"
        )

    def on_hand(self, view: PlayerView) -> None:
        """A hand begins; `view` shows the blinds and this player's cards."""

    def on_action(self, view: PlayerView, position: int, action: Action) -> None:
        """Somebody (this player too) has acted; `view` is what this player saw just before."""

    def on_board(self, view: PlayerView) -> None:
        """Board cards were turned up."""

    def on_showdown(self, view: PlayerView, shown: Mapping[int, tuple[int, ...]]) -> None:
        """The hand came to a showdown; `shown` maps positions to the cards they showed."""

    def on_result(self, view: PlayerView, payoffs: Sequence[int]) -> None:
        """The hand is over; `payoffs` are the chips each position won or lost."""

    def reset(self) -> None:
        """Forget everything learned, as if newly made."""

    def policy(self) -> ProbabilityTriple | None:
        """The one triple of fold, call and raise probabilities that this bot plays in every decision, if it does so.

        It is for players that never look at their cards, such as always-call. Where every seat is played by such a
        policy, whole blocks of hands run inside one kernel. For a strategy that looks at cards see `table_policy`.
        """
        return None

    def table_policy(self, game: Game) -> Policy | None:
        """The probabilities of every holding after every betting sequence of a heads-up limit game, if they are fixed.

        "Table" is the array of a strategy, not the players around a table. `railbird exploit` needs it. A bot without
        one answers None; one with a `policy` has a table in which all holdings play alike. A bot that answers with a
        `railbird.solve.strategy.Strategy` is played inside a kernel, so its `act` must follow that table, with one
        random number a decision.
        """
        triple = self.policy()
        if triple is None:
            return None
        from railbird.solve.policy import ConstantPolicy

        return ConstantPolicy(game, triple)

    def frozen_policy(self, game: Game) -> Policy | None:
        """The strategy that this bot follows now as a whole, for best responses (`railbird exploit`), if it has one.

        By default it is the `table_policy`. A bot without either is asked for its `probabilities` everywhere, which
        takes far longer; a learner's are those of what it has learned so far.
        """
        return self.table_policy(game)

    def betting_seen(self, betting: Betting) -> Hashable:
        """What of the betting the `probabilities` follow from, if that is not all of it (`None`).

        A best response asks once where the street, the player to act and this are the same. A bot that looks at the
        pot and the bets of the street returns `betting.pot, betting.street_bets, betting.raises`.
        """
        return None

    def probabilities(self, view: PlayerView, every: bool = False) -> NDArray[np.float64] | None:
        """How likely this bot folds, calls and raises in `view`, where it is to act: three numbers that sum to one.

        With `every` there are 1,326 rows of three, one for each holding that it might have instead of its own; those of
        holdings that share a card with the board may hold anything. Measures such as AIVAT take luck out of the play of
        a bot that answers (docs/measures.md); None says that it cannot, which is no harm.

        The answer must be what `act` draws from. It may follow from what the bot remembers, but asking changes nothing
        and takes no random numbers. AIVAT refuses answers that are no chances, and those that give a chance to what is
        not legal; a best response shares that out among the rest. A bot with a `table_policy` need not write it.
        """
        policy = self.table_policy(view.game)
        if policy is None:
            return None
        from railbird.solve.policy import holding_chances

        return own_row(holding_chances(policy, view.history, view.board_cards), view, every)

    def told_actions(self, view: PlayerView) -> tuple[Action, ...]:
        """What the columns of `probabilities` stand for: fold, call, and the smallest raise that is allowed.

        A bot that bets other sizes where these are free says all of them here, and tells a column for each.
        """
        return FOLD, CALL, view.smallest_raise()


def own_row(chances: NDArray[np.float64], view: PlayerView, every: bool) -> NDArray[np.float64]:
    """Probabilities by holding: all of them, or those of the player's own."""
    return chances if every else chances[holding_index(*view.hole_cards)]


MOST_RAISES = 4


def may_raise(view: PlayerView) -> bool:
    """Whether a raise is legal and sensible: where the rules have no cap, `MOST_RAISES` on a street are enough."""
    return view.can_raise and view.betting.raises < MOST_RAISES
