"""The named versions of Loki and Lokibot that the papers' experiments play, as settings of `bots.loki.Loki`."""

from __future__ import annotations

_LOOSE = "modeling=none,make1=0.4,make2=0.8,income_shift=-100"
_GENERIC = "modeling=generic,tightness=moderate,ranking=uniform"
_BASIC = "modeling=none,tightness=moderate,semi_bluff=no,showdown_odds=no,river_odds=no"

LOKI = (
    (
        "loki",
        "the best Loki: specific modelling with what the thesis names as missing (Papp 1998)",
        "inverse=yes,observed_variance=yes,fine_contexts=yes",
    ),
    ("loki-som", "Loki with specific opponent modelling, the SOM of Figure 8.4", "modeling=specific,ranking=uniform"),
    (
        "loki-gom",
        "Loki with generic opponent modelling, the GOM of Figures 8.3 and 8.4",
        "modeling=generic,ranking=uniform",
    ),
    ("loki-som2", "SOM': loki-som with bluffs and check-raises", "modeling=specific,tactics=yes,ranking=uniform"),
    ("loki-gom2", "GOM': loki-gom with bluffs and check-raises", "modeling=generic,tactics=yes,ranking=uniform"),
    ("bpl", "Best Player Loose, no modelling (section 8.4)", _LOOSE),
    ("bpm", "Best Player Moderate, no modelling (section 8.4)", "modeling=none,tightness=moderate"),
    (
        "bpt",
        "Best Player Tight, no modelling (section 8.4)",
        "modeling=none,tightness=tight,make1=0.6,make2=0.9,income_shift=100",
    ),
    ("bpl2", "BPL': bpl that ignores the number of opponents (section 8.3)", f"{_LOOSE},count_opponents=no"),
    ("papp-a", "player A of Figure 8.1: the entire betting strategy", _GENERIC),
    ("papp-b", "player B of Figure 8.1: no showdown odds", f"{_GENERIC},showdown_odds=no"),
    ("papp-c", "player C of Figure 8.1: no pot odds", f"{_GENERIC},pot_odds=no"),
    ("papp-d", "player D of Figure 8.1: no semi-bluffing", f"{_GENERIC},semi_bluff=no"),
    (
        "papp-e",
        "player E of Figure 8.1: hand strength alone",
        f"{_GENERIC},semi_bluff=no,pot_odds=no,showdown_odds=no,potential=no",
    ),
    ("lokibot-a", "player A of Lokibot's Figure 1: the complete system (Billings et al. 1998)", _BASIC),
    ("lokibot-b", "player B of Lokibot's Figure 1: uniform weights", _BASIC.replace("none", "uniform")),
    ("lokibot-c", "player C of Lokibot's Figure 1: simple pre-flop selection", f"{_BASIC},preflop=simple"),
    ("lokibot-d", "player D of Lokibot's Figure 1: no potential", f"{_BASIC},potential=no"),
    (
        "lokibot-e",
        "player E of Lokibot's Figure 1: none of the three",
        f"{_BASIC.replace('none', 'uniform')},preflop=simple,potential=no",
    ),
)
