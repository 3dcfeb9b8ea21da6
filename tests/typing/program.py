"""Right and wrong calls. Type checkers must complain about the lines that say so, and about no other."""

import truegain as tg
from truegain.testing import assert_not_worse

LINES = ["the cat sat", "a dog ran off"]
SYSTEMS = {"base": LINES, "new": LINES}

result = tg.compare(LINES, SYSTEMS, metrics=["bleu"], alpha=0.01, unit="segment", resamples="auto")
tg.compare(LINES, systems=SYSTEMS, test=["ar", "bootstrap"], null_gain=0.3, alternative="greater")
tg.plan(sd=12, correlation=0.8, gain=[0.5, 1.0])
tg.gate(LINES, SYSTEMS, require="not-worse", margin={"bleu": 0.3})
gain: float = result["bleu", "new"].delta
assert_not_worse(LINES, LINES, LINES, margin=0.3)

tg.compare(LINES, SYSTEMS, alfa=0.01)  # wrong: name
tg.compare(LINES, SYSTEMS, alpha="small")  # wrong: type
tg.compare(LINES, SYSTEMS, unit="word")  # wrong: choice
tg.rank(LINES, SYSTEMS, adjust="tukey")  # wrong: choice
tg.replicate(LINES, SYSTEMS, unit="block")  # wrong: choice
tg.compare()  # wrong: nothing to compare
assert_not_worse(LINES, LINES, LINES)  # wrong: no margin
scores: int = result["bleu", "new"].delta  # wrong: type
