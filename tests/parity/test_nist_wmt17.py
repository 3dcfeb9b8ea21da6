"""NIST of newstest2017 en-de: mteval's own figures, and nltk where it agrees with mteval."""

from __future__ import annotations

import pytest
from nltk.translate.nist_score import corpus_nist

from truegain.metrics.nist import NIST

Data = tuple[list[str], dict[str, list[str]]]

MTEVAL: dict[tuple[bool, str], dict[str, float]] = {
    # (lowercase, tokeniser): what mteval-v13a's own scoring and tokenisers give, with -c or without
    (False, "13a"): {"LIUM-NMT": 7.2629869414, "KIT": 7.1275200767, "online-B": 7.255429695},
    (False, "intl"): {"LIUM-NMT": 7.3167791449, "KIT": 7.2105494492, "online-B": 7.2800604903},
    (True, "13a"): {"LIUM-NMT": 7.3662427352, "KIT": 7.2336153897, "online-B": 7.3511666073},
    (True, "intl"): {"LIUM-NMT": 7.4251431629, "KIT": 7.3204690125, "online-B": 7.37796013},
}
# The same with three references: the true one and the outputs of two other systems.
MTEVAL_THREE = {
    (False, "13a"): 13.9574907783,
    (False, "intl"): 14.0050894986,
    (True, "13a"): 13.987051617,
    (True, "intl"): 14.0370824639,
}


@pytest.mark.parametrize(("lowercase", "tokenize"), MTEVAL)
def test_mteval(wmt17: Data, lowercase: bool, tokenize: str) -> None:
    reference, systems = wmt17
    metric = NIST(lowercase=lowercase, tokenize=tokenize)
    prepared = metric.prepare([reference])
    expected = MTEVAL[lowercase, tokenize]
    found = {name: float(metric.score(metric.statistics(systems[name], prepared).sum(0))) for name in expected}
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("lowercase", "tokenize"), MTEVAL_THREE)
def test_mteval_with_three_references(wmt17: Data, lowercase: bool, tokenize: str) -> None:
    reference, systems = wmt17
    metric = NIST(lowercase=lowercase, tokenize=tokenize)
    found = metric.statistics(systems["LIUM-NMT"], [reference, systems["FBK"], systems["KIT"]])
    assert float(metric.score(found.sum(0))) == pytest.approx(MTEVAL_THREE[lowercase, tokenize], abs=1e-6)


def test_nltk(wmt17: Data) -> None:
    """Without the word 0, before which mteval and nltk count differently."""
    reference, systems = wmt17
    metric = NIST()
    kept = [i for i, words in enumerate(metric._words(reference).texts()) if "0" not in words]
    lines = [reference[i] for i in kept]
    prepared = metric.prepare([lines])
    wanted = [[words] for words in metric._words(lines).texts()]
    for name in ("LIUM-NMT", "KIT"):
        outputs = [systems[name][i] for i in kept]
        found = float(metric.score(metric.statistics(outputs, prepared).sum(0)))
        theirs = corpus_nist(wanted, metric._words(outputs).texts())
        assert found == pytest.approx(theirs, abs=1e-6)
