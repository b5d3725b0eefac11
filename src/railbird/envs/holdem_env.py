"""Hold'em against bots as an environment of Gymnasium: one agent, one hand an episode.

An observation is the row of `railbird.envs.observations`, an action a number of `railbird.envs.menus`, the reward what
the hand has won in small bets, when it is over. What is legal is in `info["action_mask"]`, and `action_masks()`
says it too, for libraries that ask. An illegal action counts as in a match: as a check, or else a fold.

Hands are those of `play_match` between an agent and the opponents with the seed of `reset`, from hand 0 on; `reset`
without a seed deals the next one. A hand that is over before the agent was asked, since everybody folded to his blind,
is no episode: it is dealt past, and the `info` of `reset` says how many there were and what they won.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from railbird.envs.followers import Follower
from railbird.envs.menus import Menu, Whole
from railbird.envs.observations import Row, most_chips, observation, observation_size
from railbird.envs.open_hands import MOST_HAND, OpenHands, open_match
from railbird.errors import MatchError
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.numbers import MOST_SEED, quoted
from railbird.play.players import AnyBot
from railbird.play.seating import MOST_PLAYERS

_OWN = 0
"""The agent is the first player of the match."""


class HoldemEnv(gymnasium.Env[Row, int]):
    """Texas Hold'em against one to nine bots, given as in `play_match`; `game` is a name or a `Game`.

    >>> env = HoldemEnv("always-call")
    >>> row, info = env.reset(seed=7)
    >>> row.shape, info["action_mask"].tolist(), env.action_space
    ((124,), [0, 1, 1], Discrete(3))
    >>> row, reward, terminated, truncated, info = env.step(1)
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  # as Gymnasium has it

    def __init__(self, *opponents: AnyBot, game: str | Game = "limit", render_mode: str | None = None) -> None:
        if not opponents:
            raise MatchError("nobody to play against; name at least one bot, as in HoldemEnv('expert')")
        if len(opponents) >= MOST_PLAYERS:
            raise MatchError(f"{len(opponents)} opponents; a table seats 1 to {MOST_PLAYERS - 1} beside the agent")
        self._spec = open_match(1, opponents, game, 0)
        most_chips(self._spec.game)
        self.menu = Menu(self._spec.game)
        """What the numbers of actions mean."""
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0.0, 1.0, (observation_size(self._spec.game),), np.float32)
        self.action_space = spaces.Discrete(len(self.menu))  # type: ignore[assignment]
        self._hands: OpenHands | None = None
        self._bots: dict[int, Follower] = {}

    @property
    def game(self) -> Game:
        return self._spec.game

    @property
    def view(self) -> PlayerView:
        """The present decision as a bot would see it."""
        return self._open.view(_OWN)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Row, dict[str, Any]]:
        """Deal the next hand in which the agent is asked; with a seed, from the first of a new match.

        `options={"hand": 17}` goes to hand 17 of the match.
        """
        super().reset(seed=seed)
        if options is not None and not isinstance(options, dict):
            raise MatchError(f"options {quoted(options)}; they are a dict, as in {{'hand': 17}}")
        if seed is not None or self._hands is None:
            self._begin_match(int(self.np_random.integers(MOST_SEED)) if seed is None else seed)
        hands = self._open
        number = (options or {}).get("hand")
        if number is not None and not (isinstance(number, int | np.integer) and 0 <= number < MOST_HAND):
            raise MatchError(f"hand {quoted(number)}; a hand is a number from 0 on")
        unasked, won = 0, 0.0
        while True:
            self._begin_hand(None if number is None else int(number))
            number = None
            self._play_on()
            if not hands.is_over:
                break
            unasked, won = unasked + 1, won + hands.won_sb(_OWN)
        return observation(self.view), self._info() | {"unasked_hands": unasked, "unasked_sb": won}

    def step(self, action: Whole) -> tuple[Row, float, bool, bool, dict[str, Any]]:
        """Do this, and play on until the agent is asked again or the hand is over."""
        hands = self._open
        if hands.is_over:
            raise MatchError("the hand is over; reset() deals the next one")
        view = self.view
        chosen = self.menu.action(view, action)
        hands.act(chosen or view.check_or_fold())
        self._play_on()
        reward = hands.won_sb(_OWN) if hands.is_over else 0.0
        return observation(self.view), reward, hands.is_over, False, self._info() | {"was_legal": chosen is not None}

    def action_masks(self) -> NDArray[np.bool_]:
        """By action, whether it is legal."""
        return self.menu.mask(self.view).astype(np.bool_)

    def render(self) -> str | None:
        """The table in a line."""
        return repr(self.view) if self.render_mode == "ansi" and self._hands is not None else None

    @property
    def _open(self) -> OpenHands:
        if self._hands is None:
            raise MatchError("no hand was dealt yet; reset() deals one")
        return self._hands

    def _info(self) -> dict[str, Any]:
        hands = self._open
        return {"action_mask": self.menu.mask(self.view), "hand": hands.number, "position": hands.position(_OWN)}

    def _begin_match(self, seed: int) -> None:
        self._spec = self._spec.with_seed(seed)
        self._hands = OpenHands(self._spec)
        self._bots = {player: Follower(bot) for player, bot in enumerate(self._spec.roster.ready()) if player != _OWN}
        for follower in self._bots.values():
            follower.bot.reset()

    def _begin_hand(self, number: int | None) -> None:
        hands = self._open
        hands.begin(number)
        for player, follower in self._bots.items():
            if hands.number % self._spec.block_hands == 0 and not follower.bot.learns:
                follower.bot.reset()
            follower.begin(hands.seeds[player], hands.number)

    def _play_on(self) -> None:
        """Let the bots act until it is the agent's turn or the hand is over."""
        hands = self._open
        while not hands.is_over and hands.to_act != _OWN:
            player = hands.to_act
            hands.act(self._bots[player].asked(hands.view(player)))
        if hands.is_over:
            record = hands.record()
            for player, follower in self._bots.items():
                follower.end(record, hands.position(player))
