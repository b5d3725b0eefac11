"""Billings, Papp, Schaeffer and Szafron 1998, on Lokibot: versions without components, and what potential is worth.

The paper does not give the weights of holdings ("based on the simulations of the 169 different starting hand types"):
Figure 1 is played with three sets of them.
"""

from __future__ import annotations

from railbird.papers.ring_games import RingGame
from railbird.papers.ring_readings import RingReadings

VERSIONS = tuple(f"lokibot-{letter}" for letter in "abcde")
_UNWEIGHTED = ("lokibot-b", "lokibot-e")
_TITLE = "Billings et al. 1998, Figure 1: versions of Lokibot"
_REPORTED = "the complete A first (about +0.08 sb/hand), the basic E last (-0.11); potential (not in D) worth the most"
_LEADS = (("a", "b"), ("a", "c"), ("a", "d"), ("b", "d"), ("c", "d"), ("d", "e"))
"""Who was ahead of whom."""


def _figure_1(modeling: str) -> RingGame:
    """Figure 1 with these weights for the players that have any. With uniform ones A is the same as B."""
    bots = {name: name if name in _UNWEIGHTED else f"{name}:modeling={modeling}" for name in VERSIONS}
    leads = [lead for lead in _LEADS if modeling != "uniform" or "b" not in lead]
    return RingGame(
        name="lokibot-1",
        title=_TITLE,
        versions=tuple((bot, 2) for bot in bots.values()),
        reported=_REPORTED,
        claims=tuple(f"{bots[f'lokibot-{ahead}']} > {bots[f'lokibot-{behind}']}" for ahead, behind in leads),
    )


_GAMES = {
    "weights after a call": _figure_1("none"),
    "weights by income rate": _figure_1("income"),
    "uniform weights": _figure_1("uniform"),
}
FIGURE_1 = RingReadings(
    name="lokibot-1",
    title=_TITLE,
    reported=_REPORTED,
    claims=tuple(f"lokibot-{ahead} ahead of lokibot-{behind}" for ahead, behind in _LEADS),
    size=10_000,
    unit=f"deals, each played 10 times with {len(_GAMES)} sets of weights",
    games=_GAMES,
    names=VERSIONS,
)

LOOSE = RingGame(
    name="lokibot-loose",
    title="What potential is worth against looser players: Lokibot's A and D, and A without calls by pot odds",
    versions=(("lokibot-a", 2), ("lokibot-d", 2), ("lokibot-a:pot_odds=no", 2), ("bpl2:modeling=uniform", 4)),
    reported="in Lokibot's Figure 1, among conservative players, potential (not in D) was worth the most",
    claims=(
        "lokibot-a > lokibot-d",
        "lokibot-a > lokibot-a:pot_odds=no",
        "lokibot-a:pot_odds=no > lokibot-d",
    ),
)
"""What potential is worth in other company; this comparison is ours."""
