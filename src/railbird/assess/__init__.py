"""Skill without the luck: DIVAT and its family. Knows the rules and the cards, never a bot."""
