"""Skill without the luck: DIVAT and its family. Knows the rules and the cards, never a bot."""

from railbird.rooms import answer_calls

answer_calls(__name__, "railbird.play.assessing", "assess")
