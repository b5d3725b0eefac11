"""A bot of Railbird's as a bot of OpenSpiel, on universal_poker and repeated_poker.

A state of OpenSpiel knows all cards. The bot is shown those of its own seat and the board, the betting, and at a
showdown what is shown there, nothing else; it is told of each hand as in a match, so that those that model
their opponents learn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pyspiel

from railbird.bots.base import Bot
from railbird.bots.decision import legal_chances
from railbird.cards import parse_cards
from railbird.envs.followers import Follower
from railbird.envs.openspiel_games import CALLS, SpielGame
from railbird.errors import IllegalActionError, InvalidGameError, UnknownBotError
from railbird.game.actions import Action, ProbabilityTriple
from railbird.game.betting import Betting, split_history
from railbird.game.record import HandRecord
from railbird.game.view import PlayerView
from railbird.json_files import json_of
from railbird.play.players import AnyBot, player_of
from railbird.randomness import derived_seed


class Seen(NamedTuple):
    """A hand in progress as a state tells it, in order of OpenSpiel's players."""

    table: SpielGame
    number: int
    """Of the hand in a match of repeated_poker, else 0."""
    players: tuple[int, ...]
    """Who sits in each of the game's seats; those of repeated_poker who have lost their chips do not."""
    history: str
    holes: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]


class SpielBot(pyspiel.Bot):
    """A bot of Railbird's (a name as on the command line, a class or an object) that plays for `player` in OpenSpiel.

    It reads the state at each step, so it can be dropped into any hand; `restart` and `restart_at` begin the next hand.
    What it has learned stays, but for `restart` on repeated_poker, where a new match begins. `step_with_policy` works
    for bots that can say their probabilities: those of `Bot.policy`, and those that explain a table.

    Where OpenSpiel's rules let somebody raise whom Railbird's do not (after short all-ins, with three and more
    players), the bot checks or folds for the rest of the hand.

    >>> import pyspiel
    >>> from railbird.envs.openspiel_games import spiel_game
    >>> from railbird.game.spec import limit_holdem
    >>> game = spiel_game(limit_holdem())
    >>> bots = [SpielBot(game, 0, "always-raise"), SpielBot(game, 1, "always-fold")]
    >>> pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)
    [1.0, -1.0]
    """

    def __init__(self, game: Any, player: int, bot: AnyBot, *, seed: int = 0) -> None:
        pyspiel.Bot.__init__(self)
        self._is_repeated = game.get_type().short_name == "repeated_poker"
        parameters = game.get_parameters()
        inner = parameters.get("universal_poker_game_string", {})
        self._parameters: dict[str, Any] = dict(inner) if self._is_repeated else dict(parameters)
        table = SpielGame.with_parameters(game, self._parameters) if self._is_repeated else SpielGame.of(game)
        if game.get_type().short_name not in ("universal_poker", "repeated_poker"):
            raise InvalidGameError(f"{game.get_type().short_name}; bots play on universal_poker and repeated_poker")
        if not 0 <= player < game.num_players():
            raise InvalidGameError(f"player {player} of a game for {game.num_players()}")
        self.bot = player_of(bot).make()
        """The bot of Railbird's."""
        if not self.bot.can_play(table.game):
            raise UnknownBotError(
                f"{type(self.bot).__name__} does not play {table.game.name} with {table.game.seats} seats"
            )
        self.bot.prepare()
        self._table, self._player = table, player
        self._follower = Follower(self.bot)
        self._seed = derived_seed(seed, f"openspiel {player}")
        self._hands = 0
        self._last: Seen | None = None

    def player_id(self) -> int:
        return self._player

    def restart(self) -> None:
        """The next hand begins; on repeated_poker the next match, and the bot forgets the last one."""
        self._last = None
        if self._is_repeated:
            self.bot.reset()

    def restart_at(self, state: Any) -> None:
        """The hand goes on from this state, whatever was before."""
        self._last = None

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Somebody else, or chance, did this: a hand that ends by it is told to the bot."""
        if player_id >= 0:
            self._follow(state)
        if self._last is not None and self._player in self._last.players:
            self._end(self._last, state, action)

    def step(self, state: Any) -> int:
        view, table = self._view(state)
        chosen = CALLS
        if view is not None:
            chosen = table.number(state.legal_actions(), view.betting, self._follower.asked(view))
        elif 0 in state.legal_actions():
            chosen = 0
        if self._last is not None:
            self._end(self._last, state, chosen)
        return chosen

    def provides_policy(self) -> bool:
        """Whether the bot can say its probabilities everywhere."""
        return self.bot.policy() is not None or (
            type(self.bot).explain is not Bot.explain
            and self._table.game.seats == 2
            and self.bot.table_policy(self._table.game) is not None
        )

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """The chances of all legal actions. Asking for them does not change what the bot does."""
        if not self.provides_policy():
            raise UnknownBotError(f"{type(self.bot).__name__} cannot say its probabilities")
        view, table = self._view(state)
        legal = state.legal_actions()
        found = dict.fromkeys(legal, 0.0)
        if view is None:
            return [(number, float(number == legal[0])) for number in legal]
        triple = self.bot.policy()
        if triple is None:
            said = self._follower.explained(view).chances
            triple = ProbabilityTriple(said.get("fold", 0.0), said.get("call", 0.0), said.get("raise", 0.0))
        for action, chance in zip("fcr", legal_chances(triple, view.can_fold, view.can_raise)):
            if chance > 0:
                raised = view.smallest_raise() if action == "r" else Action(action)
                found[table.number(legal, view.betting, raised)] += chance
        return list(found.items())

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        return self.get_policy(state), self.step(state)

    def _view(self, state: Any) -> tuple[PlayerView | None, SpielGame]:
        """What the bot sees of a state, and the game; nothing where Railbird's rules know no decision."""
        seen = self._follow(state)
        table = seen.table
        node = _node(seen)
        if node is None:
            return None, table
        own = seen.players.index(self._player)
        view = PlayerView(node, table.position(own), seen.holes[own], seen.board, self._hands, self._names(seen))
        return (view if node.to_act == view.position else None), table

    def _follow(self, state: Any) -> Seen:
        """Read a state; a hand that does not go on from the last one that was read is another."""
        seen, last = self._seen(state), self._last
        if last is None or not (
            (seen.number, seen.holes, seen.table.game) == (last.number, last.holes, last.table.game)
            and seen.history.startswith(last.history)
            and seen.board[: len(last.board)] == last.board
        ):
            self._hands += 1
            self._follower.begin(self._seed, self._hands)
        self._last = seen
        return seen

    def _end(self, last: Seen, state: Any, action: int) -> None:
        """Tell the bot the end of the hand, of which this was the last state, if the action ends it."""
        if not self._follower.listens:
            return
        table, after = last.table, state.child(action)
        if self._is_repeated:
            ended = after.acpc_hand_histories()[last.number :]
            if not ended:
                return
            text, won = ended[0], [float(chips) for chips in ended[0].split(":")[4].split("|")]
        elif after.is_terminal():
            text, won = after.to_struct().acpc_state, after.returns()
        else:
            return
        self._last = None
        seen = _read(table, last.number, last.players, text)
        node = _node(seen)
        if node is not None and node.is_over:
            seats = [table.player(position) for position in range(table.game.seats)]
            record = HandRecord(
                table.game,
                self._hands,
                self._names(seen),
                tuple([seen.holes[seat] for seat in seats]),
                seen.board,
                node.history,
                tuple([int(won[seat]) if won[seat].is_integer() else won[seat] for seat in seats]),
            )
            self._follower.end(record, table.position(seen.players.index(self._player)))

    def _names(self, seen: Seen) -> tuple[str, ...]:
        """By position: players are called by their numbers, wherever they sit."""
        seats = [seen.table.player(position) for position in range(seen.table.game.seats)]
        return tuple([f"Player{seen.players[seat]}" for seat in seats])

    def _seen(self, state: Any) -> Seen:
        if not self._is_repeated:
            return _read(self._table, 0, tuple(range(self._table.game.seats)), state.to_struct().acpc_state)
        struct = state.to_struct()
        data = json_of(struct.current_universal_poker_json.encode())
        seats, dealer = len(data["blinds"]), state.dealer_seat()
        begins = dealer if seats == 2 else (dealer + 3) % seats
        changed = {
            "numPlayers": seats,
            "blind": " ".join(map(str, data["blinds"])),
            "stack": " ".join(map(str, data["starting_stacks"])),
            "firstPlayer": " ".join(str(place + 1) for place in (begins, *[(dealer + 1) % seats] * 3)),
        }
        table = SpielGame.with_parameters(state.get_game(), self._parameters | changed)
        players = tuple([state.seat_to_player(seat) for seat in range(seats)])
        return _read(table, struct.hand_number, players, data["acpc_state"])


def _read(table: SpielGame, number: int, players: tuple[int, ...], text: str) -> Seen:
    """A state of the competition's code, as in "STATE:0:cc/c:4cJd|Ah3c/6h4dTs"."""
    _, _, history, cards, *_ = text.split("\n", 1)[0].split(":")
    holes, _, board = cards.partition("/")
    return Seen(
        table,
        number,
        players,
        history,
        tuple([table.cards(parse_cards(hole)) for hole in holes.split("|")]),
        table.cards(parse_cards(board.replace("/", ""))),
    )


def _node(seen: Seen) -> Betting | None:
    """Where the betting has got to; nothing where Railbird's rules do not allow it.

    OpenSpiel asks a player to check when all the others are all-in, where Railbird asks nobody.
    """
    node = Betting.start(seen.table.game)
    for text in split_history(seen.history):
        if text == "/" or (node.is_over and text == "c"):
            continue
        try:
            node = node.after(Action.parse(text))
        except IllegalActionError:
            return None
    return node
