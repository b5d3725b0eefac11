"""Players without thought: always-fold, always-call, always-raise, random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railbird.bots.base import Bot
from railbird.bots.decision import PLAYS_NOTES, Decision, by_action, legal_chances
from railbird.cards import HOLDING_COUNT
from railbird.errors import UnknownBotError
from railbird.game.actions import CALL, FOLD, Action, ProbabilityTriple
from railbird.game.view import PlayerView

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class PolicyBot(Bot):
    """Plays the same fold, call and raise probabilities everywhere, scaled to the actions that are legal."""

    def __init__(self, fold: float, call: float, raise_: float) -> None:
        if min(fold, call, raise_) < 0 or fold + call + raise_ <= 0:
            raise UnknownBotError(
                f"fold {fold}, call {call}, raise {raise_} are not chances: none may be negative, one must be positive"
            )
        self._triple = ProbabilityTriple(fold, call, raise_)
        self._is_pure = max(self._triple) == sum(self._triple)

    def policy(self) -> ProbabilityTriple:
        return self._triple

    def act(self, view: PlayerView) -> Action:
        number = 0.5 if self._is_pure else self.rng.random()
        kind = self._triple.pick(view.can_fold, view.can_raise, number)
        if kind == "r":
            return view.smallest_raise()
        return FOLD if kind == "f" else CALL

    def probabilities(self, view: PlayerView, every: bool = False) -> NDArray[np.float64]:
        import numpy as np

        chances = np.array(legal_chances(self._triple, view.can_fold, view.can_raise))
        return np.tile(chances, (HOLDING_COUNT, 1)) if every else chances

    def explain(self, view: PlayerView) -> Decision:
        chances = legal_chances(self._triple, view.can_fold, view.can_raise)
        rule = "always the same" if self._is_pure else "drawn by chance"
        reason = "the chances are the same everywhere, scaled to what is legal; the cards do not matter"
        return Decision(self.act(view), rule, reason, by_action("plays", chances), PLAYS_NOTES)


class AlwaysFold(PolicyBot):
    """Folds whenever there is anything to call."""

    def __init__(self) -> None:
        super().__init__(1.0, 0.0, 0.0)


class AlwaysCall(PolicyBot):
    """Checks and calls to the end. The best response to it wins 1.163 sb/hand heads-up."""

    def __init__(self) -> None:
        super().__init__(0.0, 1.0, 0.0)


class AlwaysRaise(PolicyBot):
    """Bets and raises until the cap. The best response to it wins 3.698 sb/hand heads-up."""

    def __init__(self) -> None:
        super().__init__(0.0, 0.0, 1.0)


class RandomBot(PolicyBot):
    """Picks among the legal actions by chance, evenly unless told otherwise (`random:fold=1,call=4,raise=5`)."""

    def __init__(self, fold: float = 1.0, call: float = 1.0, raise_: float = 1.0) -> None:
        super().__init__(fold, call, raise_)
