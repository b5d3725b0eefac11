"""Billings, Papp, Schaeffer and Szafron 1998, on Lokibot: versions without components, and what potential is worth.

In our Figure 1 potential is worth the least, where the paper found it worth the most. The other three ring games look
for the reason: looser opponents, calls by pot odds, weights that follow the bets.
"""

from __future__ import annotations

from railbird.papers.ring_games import RingGame

FIGURE_1 = RingGame(
    name="lokibot-1",
    title="Billings et al. 1998, Figure 1: versions of Lokibot",
    versions=(("lokibot-a", 2), ("lokibot-b", 2), ("lokibot-c", 2), ("lokibot-d", 2), ("lokibot-e", 2)),
    reported=(
        "the complete A first (about +0.08 sb/hand), the basic E last (-0.11); potential (not in D) worth the most"
    ),
    claims=(
        "lokibot-a > lokibot-b",
        "lokibot-a > lokibot-c",
        "lokibot-a > lokibot-d",
        "lokibot-b > lokibot-d",
        "lokibot-c > lokibot-d",
        "lokibot-d > lokibot-e",
    ),
)
_AMONG_CONSERVATIVE = "in Lokibot's Figure 1, among conservative players, potential (not in D) was worth the most"

POTENTIAL = (
    RingGame(
        name="lokibot-loose",
        title="What potential is worth against looser players: Lokibot's A and D, and A without calls by pot odds",
        versions=(("lokibot-a", 2), ("lokibot-d", 2), ("lokibot-a:pot_odds=no", 2), ("bpl2:modeling=uniform", 4)),
        reported=_AMONG_CONSERVATIVE,
        claims=(
            "lokibot-a > lokibot-d",
            "lokibot-a > lokibot-a:pot_odds=no",
            "lokibot-a:pot_odds=no > lokibot-d",
        ),
    ),
    RingGame(
        name="lokibot-tight",
        title="What potential is worth among Lokibot's own: A and D, with and without calls by pot odds",
        versions=(
            ("lokibot-a", 2),
            ("lokibot-d", 2),
            ("lokibot-a:pot_odds=no", 2),
            ("lokibot-d:pot_odds=no", 2),
            ("lokibot-c", 2),
        ),
        reported=_AMONG_CONSERVATIVE,
        claims=(
            "lokibot-a > lokibot-d",
            "lokibot-a > lokibot-a:pot_odds=no",
            "lokibot-d > lokibot-d:pot_odds=no",
            "lokibot-a:pot_odds=no > lokibot-d:pot_odds=no",
        ),
    ),
    RingGame(
        name="lokibot-bets",
        title="What potential is worth to Lokibot's A and D with weights that follow the bets",
        versions=(
            ("lokibot-a:modeling=generic,reweight_calls=no", 5),
            ("lokibot-d:modeling=generic,reweight_calls=no", 5),
        ),
        reported="in Lokibot's Figure 1, where weights are fixed, potential (not in D) was worth the most",
        claims=("lokibot-a:modeling=generic,reweight_calls=no > lokibot-d:modeling=generic,reweight_calls=no",),
    ),
)
"""What potential is worth in other company; these comparisons are ours."""
