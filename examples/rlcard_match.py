"""An agent of RLCard in a match; needs: pip install 'railbird[rlcard]'"""

from rlcard.models.limitholdem_rule_models import LimitholdemRuleAgentV1

import railbird as rb
from railbird.envs import RLCardSeat

print(rb.play_match(RLCardSeat(LimitholdemRuleAgentV1()), "expert", hands=200, duplicate=True, seed=7))
