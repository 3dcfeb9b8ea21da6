"""What every metric has: a signature, a label, references prepared once, and settings and segments it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.refusals import refused
from truegain.metrics.lookup import make_metric
from truegain.metrics.segment_scores import SegmentScores

HIGHER, LOWER, NEITHER = True, False, None

TREE = "(S (NP (DT a) (NN b)) (VP (VB c)))"
SENTENCE = "1\tShe\tshe\tX\t_\t_\t2\tnsubj\t_\t_\n2\truns\trun\tX\t_\t_\t0\troot\t_\t_"
#: By the name of a metric of texts: outputs, and their only reference.
STRUCTURES = {
    "las": ([SENTENCE], [SENTENCE]),
    "parseval": ([TREE, "(())"], [TREE, TREE]),
    "aer": (["0-0 1-2", ""], ["0-0 1p2", "0-1"]),
    "span_f1": (["B-PER O", "O"], ["B-PER O", "B-LOC"]),
    "tag_accuracy": (["A B", "C"], ["A C", "C"]),
}
OUTPUTS = ["a house is red", "c\nd", "", "x y dogs bark"]
REFERENCES = [["the house is red", "c d", "a", "dogs barked"], ["red is the house", "b\nc", "b", "x y dog"]]
OF_TEXTS = [
    *("bleu", "chrf", "chrf:word_order=2", "ter", "meteor", "wer", "per", "cer", "length", "nist", "unigram", "exact"),
    *("rouge1:stem=true", "rouge2", "rougel", "rougelsum:stem=true", "rouge:n=3", "squad_f1", "accuracy"),
]


@pytest.mark.parametrize("name", [*OF_TEXTS, *STRUCTURES])
def test_prepared_references_serve_every_system(name: str) -> None:
    metric = make_metric(name)
    outputs, *references = STRUCTURES.get(name, (OUTPUTS, *REFERENCES))
    prepared = metric.prepare(references)
    for given in (outputs, references[0]):
        np.testing.assert_array_equal(metric.statistics(given, prepared), metric.statistics(given, references))


@pytest.mark.parametrize("name", OF_TEXTS)
def test_no_segments_have_no_statistics(name: str) -> None:
    metric = make_metric(name)
    assert metric.statistics([], [[]]).shape == (0, len(metric.statistic_names))


@pytest.mark.parametrize("name", OF_TEXTS)
def test_each_segment_has_a_reference_and_there_is_one_for_each_output(name: str) -> None:
    metric = make_metric(name)
    with refused(naming=[2]):
        metric.statistics(["a", "b"], [["a", None], ["b", None]])
    for outputs, references in ((["a", "b"], ["a"]), (["a"], ["a", "b"])):
        with refused(naming=[1, 2]):
            metric.statistics(outputs, [references])


@pytest.mark.parametrize("name", STRUCTURES)
def test_structures_have_one_reference(name: str) -> None:
    outputs, reference = STRUCTURES[name]
    with refused(naming=[name, 2]):
        make_metric(name).statistics(outputs, [reference, reference])


@pytest.mark.parametrize(
    ("asked", "label", "better", "begins"),
    [
        ("accuracy", "accuracy", HIGHER, "nrefs:2|case:mixed"),
        ("aer:reference_base=1", "AER", LOWER, "nrefs:2|ref_base:1|sys_base:0"),
        ("alignment:alpha=0.4", "Alignment F", HIGHER, "nrefs:2|measure:f|alpha:0.4|ref_base:0|sys_base:0"),
        ("alignment:measure=recall", "Alignment recall", HIGHER, "nrefs:2|measure:recall"),
        ("cer", "CER", LOWER, "nrefs:2|case:mixed"),
        ("exact:normalize=squad", "exact match", HIGHER, "nrefs:2|norm:squad"),
        ("las:subtypes=true", "LAS with subtypes", HIGHER, "nrefs:2|measure:f|words:conll18|subtypes:yes"),
        ("length", "Length", NEITHER, "nrefs:2|tok:none"),
        ("majority:column=a,correct=b", "majority", HIGHER, "column:a|correct:b|ties:share"),
        ("nist", "NIST", HIGHER, "nrefs:2|case:mixed|tok:13a"),
        ("nist:lowercase=true,tokenize=intl", "NIST", HIGHER, "nrefs:2|case:lc|tok:intl"),
        ("parseval", "PARSEVAL F1", HIGHER, "nrefs:2|measure:f|labelled:yes|rules:collins|errors:refuse"),
        ("parseval:measure=recall", "PARSEVAL recall", HIGHER, "nrefs:2|measure:recall"),
        ("pass:k=5,column=acc", "pass@5", HIGHER, "column:acc|k:5|estimator:unbiased"),
        ("per:lowercase=true,tokenize=13a", "PER", LOWER, "nrefs:2|case:lc|tok:13a"),
        ("rouge1", "ROUGE-1", HIGHER, "nrefs:2|tok:rouge|stem:no|measure:f|aggregate:mean"),
        ("rouge2:stem=true", "ROUGE-2", HIGHER, "nrefs:2|tok:rouge|stem:porter|measure:f|aggregate:mean"),
        ("rougel:measure=recall,separator=tab", "ROUGE-L recall", HIGHER, "nrefs:2|tok:rouge|stem:no|measure:recall"),
        ("rougel:separator=<q>", "ROUGE-L", HIGHER, "nrefs:2|tok:rouge|stem:no|measure:f|sep:'<q>'|aggregate:mean"),
        ("rougelsum", "ROUGE-Lsum", HIGHER, "nrefs:2|tok:rouge|stem:no|measure:f|sep:newline+tab|aggregate:mean"),
        ("rouge:n=4,measure=precision", "ROUGE-4 precision", HIGHER, "n:4|nrefs:2|tok:rouge|stem:no|measure:precision"),
        ("scores:column=a,over=b,lower_is_better=true", "a/b", LOWER, "column:a|over:b|aggregate:ratio|better:lower"),
        ("span_f1", "Span F1", HIGHER, "nrefs:2|measure:f"),
        ("span_f1:type=LOC", "LOC span F1", HIGHER, "nrefs:2|measure:f|type:LOC|spans:conlleval"),
        ("span_f1:measure=recall", "Span recall", HIGHER, "nrefs:2|measure:recall"),
        ("squad_f1", "SQuAD F1", HIGHER, "nrefs:2|norm:squad|aggregate:mean"),
        ("tag_accuracy", "Tag accuracy", HIGHER, "nrefs:2|version:"),
        ("ter", "TER", LOWER, "nrefs:2|case:lc|tok:tercom"),
        ("uas", "UAS", HIGHER, "nrefs:2|measure:f|words:conll18"),
        ("unigram:beta=0.5", "unigram F0.5", HIGHER, "nrefs:2|case:mixed|tok:none|measure:f0.5"),
        ("unigram:beta=2", "unigram F2", HIGHER, "nrefs:2|case:mixed|tok:none|measure:f2"),
        ("unigram:measure=recall,lowercase=true", "unigram recall", HIGHER, "nrefs:2|case:lc|tok:none|measure:recall"),
        ("wer:lowercase=true", "WER", LOWER, "nrefs:2|case:lc|tok:none"),
    ],
)
def test_labels_directions_and_signatures(asked: str, label: str, better: bool | None, begins: str) -> None:
    metric = make_metric(asked)
    assert (metric.name, metric.label, metric.higher_is_better) == (asked.partition(":")[0], label, better)
    signature = metric.signature() if metric.reads == "scores" else metric.signature(2)
    assert signature.startswith(begins), signature
    assert "|version:" in signature


#: The last of these settings is refused, by its name.
REFUSED = [
    *("aer:system_base=2", "alignment:measure=aer", "alignment:measure=recall,alpha=0.5", "alignment:alpha=1.5"),
    *("bleu:smooth_method=floor,smooth_value=-1", "bleu:max_ngram_order=0"),
    *("chrf:char_order=0", "chrf:word_order=-1", "chrf:beta=-1", "exact:normalize=SQuAD-like", "length:tokenize=14a"),
    *("meteor:lang=de,task=adq", "meteor:beam=0", "meteor:alpha=2", "meteor:beta=-1", "meteor:modules=stem"),
    *("meteor:tokenize=moses", "meteor:weights=1", "meteor:weights=a/b"),
    *("nist:max_ngram_order=0", "nist:max_ngram_order=101", "parseval:errors=drop", "pass:k=0", "pass:k=two"),
    *("rouge:n=0", "rouge1:measure=p", "rougelsum:separator=", "span_f1:measure=f1"),
    *("unigram:measure=f1", "unigram:beta=0", "unigram:beta=nan", "unigram:tokenize=13", "wer:tokenize=13"),
]
#: What else is told: a value that there is, or the one that there is not.
TELLING = {
    **{"bleu:tokenize=13b": "13a", "bleu:smooth_method=expo": "exp", "bleu:smooth_value=0.1": "floor"},
    **{"meteor:lang=xx": "xx", "meteor:task=best": "best", "meteor:modules=exact+synonym": "synonym"},
    **{"meteor:modules=exact+porter": "porter", "meteor:lang=cs,modules=exact+stem": "stem"},
    **{"meteor:resources=/no/such/place": "/no/such/place", "nist:tokenize=13b": "13a"},
    **{"rouge": "rouge", "rouge1:n=2": "rouge1"},
}


@pytest.mark.parametrize(
    ("asked", "told"),
    [*((one, one.replace(",", ":").split(":")[-1].partition("=")[0]) for one in REFUSED), *TELLING.items()],
)
def test_settings_that_are_refused(asked: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRUEGAIN_METEOR", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # no files of METEOR's
    with refused(naming=[told]):
        make_metric(asked)


def test_settings_become_fields() -> None:
    read: Any = make_metric("scores:column=COMET,lower_is_better=yes,title=x")
    assert read == SegmentScores("COMET", None, True, "x")
