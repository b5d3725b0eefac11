"""Many tables of limit hold'em at once as a vectorised environment of Gymnasium, all in one kernel.

The opponents are bots that a kernel can play: those with three fixed probabilities (always-call, always-raise, random
and `random:fold=1,call=4,raise=5`, ...) and heads-up those that play by a strategy table (equilibrium, sparbot). For
others there is `HoldemEnv`.

Observations, actions and rewards are those of `HoldemEnv`. A table whose hand is over deals the next one in the same
step (Gymnasium's `SAME_STEP`): the reward belongs to the hand that has ended, the observation to the next one. There is
no final observation, since a hand that is over has no value but its reward.

Table t of n plays hands t, t + n, t + 2 n, ... of the match between the agent and the opponents with that seed. Hands
that are over before the agent is asked are dealt past; `info` says how many there were at a table, and what they won.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from railbird.envs.menus import Menu
from railbird.envs.observations import most_chips, observation_size
from railbird.envs.open_hands import open_match
from railbird.errors import IllegalActionError, MatchError, UnknownBotError
from railbird.game.actions import ProbabilityTriple
from railbird.game.spec import Game
from railbird.kernels.cards.ranking import RANKING
from railbird.kernels.play import open_tables as kernels
from railbird.numbers import MOST_SEED, quoted
from railbird.play.blocks import kernel_rules
from railbird.play.compiled import fixed_play, kernel_players
from railbird.play.dealing import deck_seeds
from railbird.play.hands import bot_seeds
from railbird.play.match import MatchSpec
from railbird.play.players import AnyBot

Rows = NDArray[np.float32]
Actions = NDArray[np.int64]
MOST_TABLES = 1_000_000
_ABSENT = ProbabilityTriple(0.0, 1.0, 0.0)
"""Of the agent, whom the kernel does not play."""


class HoldemTables(VectorEnv[Rows, Actions, NDArray[Any]]):
    """Limit hold'em at `tables` tables against one to nine bots that a kernel can play.

    Arrays that `step` returns are new ones, unless `copy=False`: then they are overwritten by the next step.

    >>> tables = HoldemTables("random", tables=64)
    >>> rows, info = tables.reset(seed=7)
    >>> rows.shape, info["action_mask"].shape
    ((64, 124), (64, 3))
    >>> rows, rewards, ended, truncated, info = tables.step(np.ones(64, int))
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  # as Gymnasium has it

    def __init__(self, *opponents: AnyBot, tables: int = 1024, game: str | Game = "limit", copy: bool = True) -> None:
        if not opponents:
            raise MatchError("nobody to play against; name at least one bot, as in HoldemTables('random')")
        if not 1 <= tables <= MOST_TABLES:
            raise MatchError(f"{quoted(tables)} tables; there are 1 to {MOST_TABLES:,}")
        self.num_envs = tables
        self._spec = open_match(1, opponents, game, 0)
        game = self._spec.game
        self._most_chips = most_chips(game)
        self._players, self._strategies = _players(self._spec)
        self._copies = copy
        self.menu = Menu(game)
        self.single_observation_space = spaces.Box(0.0, 1.0, (observation_size(game),), np.float32)
        self.single_action_space = spaces.Discrete(len(self.menu))
        self.observation_space = batch_space(self.single_observation_space, tables)
        self.action_space = batch_space(self.single_action_space, tables)
        self._batch = _empty_batch(tables, game.seats)
        self._shown = kernels.Shown(
            np.zeros((tables, observation_size(game)), np.float32),
            np.zeros((tables, len(self.menu)), np.int8),
            np.zeros(tables, np.float64),
            np.zeros(tables, np.bool_),
            np.zeros((tables, 2), np.float64),
        )
        self._table: kernels.Table | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Rows, dict[str, Any]]:
        """Deal a hand at every table: the first ones of a match with that seed; without one, of a random seed."""
        super().reset(seed=seed)
        spec = self._spec.with_seed(int(self.np_random.integers(MOST_SEED)) if seed is None else seed)
        seats = kernels.Seats(
            np.array(spec.seating.rows, np.int64),
            deck_seeds(spec.seed, 0, 1),
            np.array(bot_seeds(spec, 0), np.uint64),
        )
        scale = kernels.Scale(float(spec.game.small_bet), float(self._most_chips))
        self._table = kernels.Table(kernel_rules(spec.game), seats, self._players, scale)
        self._batch.hands[:] = np.arange(self.num_envs) - self.num_envs
        self._play(np.full(self.num_envs, -1))
        return self._told(self._shown.rows), self._info()

    def step(
        self, actions: Actions
    ) -> tuple[Rows, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Do this at every table, and play on until the agent is asked again, in this hand or the next."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or not np.issubdtype(chosen.dtype, np.integer):
            raise IllegalActionError(
                f"actions of shape {chosen.shape} and type {chosen.dtype}; it takes {self.num_envs} whole numbers"
            )
        if chosen.min() < 0 or chosen.max() >= len(self.menu):
            listed = ", ".join(f"{at} {name}" for at, name in enumerate(self.menu.names))
            raise IllegalActionError(f"actions from {chosen.min()} to {chosen.max()}; there are {listed}")
        self._play(np.ascontiguousarray(chosen, np.int64))
        shown = self._shown
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._told(shown.rows), self._told(shown.rewards), self._told(shown.ended), truncated, self._info()

    def _play(self, actions: Actions) -> None:
        if self._table is None:
            raise MatchError("no hand was dealt yet; reset() deals them")
        kernels.step_tables(RANKING, self._table, self._strategies, self._batch, actions, self._shown)

    def _info(self) -> dict[str, Any]:
        shown = self._shown
        return {
            "action_mask": self._told(shown.masks),
            "hand": self._told(self._batch.hands),
            "position": self._told(self._batch.state[:, kernels.AGENT]),
            "unasked_hands": self._told(shown.unasked[:, 0]),
            "unasked_sb": self._told(shown.unasked[:, 1]),
        }

    def _told(self, array: Any) -> Any:
        return array.copy() if self._copies else array


def _players(spec: MatchSpec) -> tuple[Any, Any]:
    """What the kernel plays the opponents by; refuses those that it cannot play, and games."""
    if not spec.is_for_kernels:
        raise MatchError(f"tables in a kernel play limit hold'em with a cap and without stacks, not {spec.game.name}")
    plays: list[Any] = [_ABSENT]
    for player, bot in list(zip(spec.players, spec.roster.ready()))[1:]:
        play = fixed_play(bot, spec.game) if player.is_trusted else None
        if play is None:
            raise UnknownBotError(
                f"{player.text!r} plays neither by three fixed probabilities nor, heads-up, by a table, so no kernel "
                "can play it; HoldemEnv takes any bot"
            )
        bot.prepare()
        plays.append(play)
    return kernel_players(plays)


def _empty_batch(tables: int, seats: int) -> kernels.Batch:
    return kernels.Batch(
        hands=np.zeros(tables, np.int64),
        state=np.zeros((tables, kernels.STATE_SIZE), np.int64),
        decks=np.zeros((tables, 2 * seats + 5), np.uint8),
        streams=np.zeros((tables, seats), np.uint64),
        bets=np.zeros((tables, seats), np.int64),
        committed=np.zeros((tables, seats), np.int64),
        live=np.zeros((tables, seats), np.bool_),
        waiting=np.zeros((tables, seats), np.bool_),
        raised=np.zeros((tables, 4, seats), np.int64),
        buckets=np.zeros((tables, seats), np.int64),
    )
