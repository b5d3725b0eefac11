"""Railbird, a computer-poker laboratory for Texas Hold'em.

    import railbird as rb
    print(rb.odds("AdQc", "3h4cJh"))
    result = rb.play_match("loki", "always-call", hands=1000, duplicate=True)
    print(result, rb.assess(result), sep="\n")

What a notebook needs stands here; everything is imported when it is first used, so `import railbird` costs nothing.
docs/api.md has it all.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from railbird.assess.assessed import AssessedHand as AssessedHand
    from railbird.assess.assessed import AssessedLog as AssessedLog
    from railbird.assess.assessed_tables import AssessedHands as AssessedHands
    from railbird.assess.assessed_tables import AssessedTable as AssessedTable
    from railbird.bots.base import Bot as Bot
    from railbird.bots.decision import Decision as Decision
    from railbird.bots.decision import Step as Step
    from railbird.bots.exploiting import exploitability as exploitability
    from railbird.bots.reasons import Explanation as Explanation
    from railbird.bots.reasons import explain as explain
    from railbird.bots.registry import make_bot as make_bot
    from railbird.check.bot_report import BotReport as BotReport
    from railbird.check.check_bot import check_bot as check_bot
    from railbird.errors import RailbirdError as RailbirdError
    from railbird.formats.readers import hands_in as hands_in
    from railbird.game.actions import CALL as CALL
    from railbird.game.actions import FOLD as FOLD
    from railbird.game.actions import RAISE as RAISE
    from railbird.game.actions import Action as Action
    from railbird.game.actions import ProbabilityTriple as ProbabilityTriple
    from railbird.game.actions import raise_to as raise_to
    from railbird.game.betting import Betting as Betting
    from railbird.game.record import HandRecord as HandRecord
    from railbird.game.replayed import ReplayedHand as ReplayedHand
    from railbird.game.spec import Game as Game
    from railbird.game.spec import kuhn_poker as kuhn_poker
    from railbird.game.spec import leduc_poker as leduc_poker
    from railbird.game.spec import limit_holdem as limit_holdem
    from railbird.game.spec import no_limit_holdem as no_limit_holdem
    from railbird.game.spec import pot_limit_holdem as pot_limit_holdem
    from railbird.game.spec import spread_limit_holdem as spread_limit_holdem
    from railbird.game.view import PlayerView as PlayerView
    from railbird.odds.equity import equity as equity
    from railbird.odds.holding_odds import Odds as Odds
    from railbird.odds.holding_odds import odds as odds
    from railbird.odds.potential import hand_potential as hand_potential
    from railbird.odds.potential import potentials as potentials
    from railbird.odds.range_odds import RangeOdds as RangeOdds
    from railbird.odds.range_odds import range_odds as range_odds
    from railbird.odds.ranges import parse_range as parse_range
    from railbird.odds.ranges import range_text as range_text
    from railbird.odds.ranks import rank as rank
    from railbird.odds.ranks import rank_name as rank_name
    from railbird.odds.ranks import ranks as ranks
    from railbird.odds.strength import equities as equities
    from railbird.odds.strength import hand_strength as hand_strength
    from railbird.odds.strength import strengths as strengths
    from railbird.odds.weights import WeightArray as WeightArray
    from railbird.papers.catalogue import run_study as run_study
    from railbird.papers.study import StudyResult as StudyResult
    from railbird.play.assessing import assess as assess
    from railbird.play.comparison import Comparison as Comparison
    from railbird.play.converting import Conversion as Conversion
    from railbird.play.converting import convert as convert
    from railbird.play.episodes import LearningCurves as LearningCurves
    from railbird.play.gain_result import GainTest as GainTest
    from railbird.play.hand_lists import HandFilter as HandFilter
    from railbird.play.hand_lists import HandList as HandList
    from railbird.play.hand_lists import hand_list as hand_list
    from railbird.play.importing import ImportedHands as ImportedHands
    from railbird.play.importing import import_hands as import_hands
    from railbird.play.importing import stats as stats
    from railbird.play.lower_bound import LowerBound as LowerBound
    from railbird.play.lower_bound import lower_bound as lower_bound
    from railbird.play.match_logs import read_hands as read_hands
    from railbird.play.match_result import MatchResult as MatchResult
    from railbird.play.matches import compare_bots as compare_bots
    from railbird.play.matches import find_gain as find_gain
    from railbird.play.matches import play_match as play_match
    from railbird.play.matches import play_tournament as play_tournament
    from railbird.play.predicted import AccuracyResult as AccuracyResult
    from railbird.play.predicted import accuracy as accuracy
    from railbird.play.snapshots import Snapshot as Snapshot
    from railbird.play.snapshots import bot_after as bot_after
    from railbird.play.tournament_result import TournamentResult as TournamentResult
    from railbird.play.verified import VerifiedDeals as VerifiedDeals
    from railbird.play.verified import verify_deals as verify_deals
    from railbird.solve.exploited import ExploitabilityResult as ExploitabilityResult
    from railbird.solve.function_policy import FunctionPolicy as FunctionPolicy
    from railbird.solve.policy import Policy as Policy
    from railbird.solve.policy import TablePolicy as TablePolicy
    from railbird.solve.solving import Solved as Solved
    from railbird.solve.solving import SolvePlan as SolvePlan
    from railbird.solve.solving import solve as solve
    from railbird.solve.strategy import Strategy as Strategy
    from railbird.statistics import Estimate as Estimate
    from railbird.store.player_stats import PlayerStats as PlayerStats

    __version__: str

_HOME = {
    "assess.assessed": "AssessedHand AssessedLog",
    "assess.assessed_tables": "AssessedHands AssessedTable",
    "bots.base": "Bot",
    "bots.decision": "Decision Step",
    "bots.exploiting": "exploitability",
    "bots.reasons": "Explanation explain",
    "bots.registry": "make_bot",
    "check.bot_report": "BotReport",
    "check.check_bot": "check_bot",
    "errors": "RailbirdError",
    "formats.readers": "hands_in",
    "game.actions": "CALL FOLD RAISE Action ProbabilityTriple raise_to",
    "game.betting": "Betting",
    "game.record": "HandRecord",
    "game.replayed": "ReplayedHand",
    "game.spec": "Game kuhn_poker leduc_poker limit_holdem no_limit_holdem pot_limit_holdem spread_limit_holdem",
    "game.view": "PlayerView",
    "odds.equity": "equity",
    "odds.holding_odds": "Odds",
    "odds.potential": "hand_potential potentials",
    "odds.range_odds": "RangeOdds range_odds",
    "odds.ranges": "parse_range range_text",
    "odds.ranks": "rank rank_name ranks",
    "odds.strength": "equities hand_strength strengths",
    "odds.weights": "WeightArray",
    "papers.catalogue": "run_study",
    "papers.study": "StudyResult",
    "play.comparison": "Comparison",
    "play.converting": "Conversion convert",
    "play.episodes": "LearningCurves",
    "play.gain_result": "GainTest",
    "play.hand_lists": "HandFilter HandList hand_list",
    "play.importing": "ImportedHands import_hands stats",
    "play.lower_bound": "LowerBound lower_bound",
    "play.match_logs": "read_hands",
    "play.match_result": "MatchResult",
    "play.matches": "compare_bots find_gain play_match play_tournament",
    "play.predicted": "AccuracyResult accuracy",
    "play.snapshots": "Snapshot bot_after",
    "play.tournament_result": "TournamentResult",
    "play.verified": "VerifiedDeals verify_deals",
    "solve.exploited": "ExploitabilityResult",
    "solve.function_policy": "FunctionPolicy",
    "solve.policy": "Policy TablePolicy",
    "solve.solving": "Solved SolvePlan",
    "solve.strategy": "Strategy",
    "statistics": "Estimate",
    "store.player_stats": "PlayerStats",
}
"""By module, the names that stand here."""
_ROOMS = ("assess", "odds", "solve")
"""Packages that are called: see `railbird.rooms`."""
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = sorted([*_MODULE_OF, *_ROOMS, "__version__"])


def __getattr__(name: str) -> Any:
    value: Any
    if name == "__version__":
        value = import_module("importlib.metadata").version("railbird")
    elif name in _ROOMS:
        value = import_module(f"railbird.{name}")
    elif name in _MODULE_OF:
        value = getattr(import_module(f"railbird.{_MODULE_OF[name]}"), name)
    else:
        raise AttributeError(f"module 'railbird' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
