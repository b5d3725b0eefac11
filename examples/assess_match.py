"""Play a match and see what was skill and what was luck.

python examples/assess_match.py
"""

from tempfile import TemporaryDirectory

from railbird.assess.summary import assess_pairs
from railbird.play.match_logs import read_hand_arrays
from railbird.play.matches import play_match

if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        play_match("expert", "always-call", hands=1_000, seed=7, duplicate=True, folder=folder)
        [pair] = assess_pairs(read_hand_arrays([folder]))
    print(f"{pair.first} against {pair.second}, small bets a hand over {len(pair):,} hands:")
    for measure in ("money", "duplicate", "divat", "duplicate_divat", "luck"):
        estimate = pair.estimate(measure)
        print(f"  {measure:<16} {estimate.mean:+.3f} ± {estimate.margin:.3f}")
    for street, name in enumerate(("before the flop", "flop", "turn", "river")):
        print(f"  skill, {name:<15} {pair.street(street).mean:+.3f}")
    print(f"For the same certainty DIVAT takes {1 / pair.fewer_hands:.0%} of the hands that money takes.")
