"""Hold'em as an environment of PettingZoo: every seat is an agent, one hand an episode.

Observations are those of `HoldemEnv`, with the mask of legal actions beside them, as PettingZoo's card games have it:
`{"observation": ..., "action_mask": ...}`. Rewards come when the hand is over, in small bets. Agents are players of a
match, "player_0" and so on: from hand to hand they move on by one position, and hands are those of `play_match`
with the seed of `reset`. An illegal action counts as a check, or else a fold.

Poker is played by turns, so `parallel_table` is the same table behind PettingZoo's parallel interface: everybody hands
in an action, and that of the player whose turn it is counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from railbird.envs.menus import Menu, Whole
from railbird.envs.observations import most_chips, observation, observation_size
from railbird.envs.open_hands import OpenHands, open_match
from railbird.errors import MatchError
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.numbers import MOST_SEED
from railbird.play.seating import MOST_PLAYERS

Seen = dict[str, Any]


class HoldemTable(AECEnv[str, Seen, int | None]):
    """Texas Hold'em with two to ten agents; `game` is a name or a `Game`.

    >>> table = HoldemTable()
    >>> table.reset(seed=7)
    >>> table.agent_selection, table.last()[0]["action_mask"].tolist()
    ('player_1', [1, 1, 1])
    """

    metadata = {  # noqa: RUF012  # as PettingZoo has it
        "name": "railbird_holdem_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": True,
    }

    def __init__(self, seats: int = 2, *, game: str | Game = "limit", render_mode: str | None = None) -> None:
        super().__init__()
        if not 2 <= seats <= MOST_PLAYERS:
            raise MatchError(f"{seats} agents; a table seats 2 to {MOST_PLAYERS}")
        self._spec = open_match(seats, (), game, 0)
        most_chips(self._spec.game)
        self.menu = Menu(self._spec.game)
        """What the numbers of actions mean."""
        self.render_mode = render_mode
        self.possible_agents = [f"player_{player}" for player in range(seats)]
        self._players = {agent: player for player, agent in enumerate(self.possible_agents)}
        size = observation_size(self._spec.game)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (len(self.menu),), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(len(self.menu)) for agent in self.possible_agents}
        self._hands: OpenHands | None = None
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def view(self, agent: str) -> PlayerView:
        """The table as an agent sees it, the way a bot would."""
        return self._open.view(self._players[agent])

    def observe(self, agent: str) -> Seen:
        view = self.view(agent)
        return {"observation": observation(view), "action_mask": self.menu.mask(view)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next hand; with a seed, the first of a new match."""
        if seed is not None or self._hands is None:
            chosen = int(self._random.integers(MOST_SEED)) if seed is None else seed
            self._hands = OpenHands(self._spec.with_seed(chosen))
        hands = self._hands
        hands.begin()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {
            agent: {"hand": hands.number, "position": hands.position(player)} for agent, player in self._players.items()
        }
        self.agent_selection = self.possible_agents[hands.to_act]

    def step(self, action: Whole | None) -> None:
        hands = self._open
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise MatchError(f"{agent} is to act; None is for agents whose hand is over")
        view = self.view(agent)
        hands.act(self.menu.action(view, action) or view.check_or_fold())
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if hands.is_over:
            self.rewards = {each: hands.won_sb(self._players[each]) for each in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[hands.to_act]
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """The table in a line, as the player to act sees it."""
        return repr(self.view(self.agent_selection)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])

    @property
    def _open(self) -> OpenHands:
        if self._hands is None:
            raise MatchError("no hand was dealt yet; reset() deals one")
        return self._hands


def parallel_table(
    seats: int = 2, *, game: str | Game = "limit", render_mode: str | None = None
) -> ParallelEnv[str, Seen, int | None]:
    """The same table behind PettingZoo's parallel interface."""
    return turn_based_aec_to_parallel(HoldemTable(seats, game=game, render_mode=render_mode))
