"""The pages on the gain that is usually significant: after Berg-Kirkpatrick et al. (2012), on other systems."""

from __future__ import annotations

from benchmarks.pages import Page, Step

__all__ = ["THRESHOLDS"]

_PAPER = """\
Berg-Kirkpatrick, Burkett and Klein ("An empirical investigation of statistical significance in NLP", EMNLP 2012)
tested all pairs of many systems by the paired bootstrap, drew gain against confidence, and read off the gain that is
usually significant, for systems of one kind and of different kinds. How it is done here: [threshold](../threshold.md).
The systems and test sets are others than theirs, so that figures can be alike but not the same; theirs are not repeated
here, because they could not be checked against the paper.
"""

THRESHOLDS = (
    Page(
        "thresholds-translation",
        "What gain is usually significant? Machine translation",
        f"""\
{_PAPER}
The data: newstest2011, German to English, 20 systems of the shared task (anonymised, so that nothing is known of their
kinds), 3,003 segments, 110 documents, in `$WMT11`; and 24 small Transformers, each trained on a sample of its own of
29,000, 14,500 or 7,250 pairs of Multi30k, half of them on words and half on subwords, 1,000 segments, in `$POOL`.
""",
        (
            Step(
                "## newstest2011: 190 pairs, whole documents",
                "truegain threshold --ref $WMT11/ref.en.gz --docs $WMT11/docs.tsv.gz --name newstest2011 -m bleu "
                "-m chrf -R 100000 $WMT11/systems/*.gz --plot FIGURE",
                "thresholds-newstest2011.svg",
            ),
            Step(
                "## The size of the test set: segments\n\nAs in the paper, where segments are the unit.",
                "truegain threshold --ref $WMT11/ref.en.gz --name newstest2011 --sizes auto --subsets random "
                "--repetitions 10 $WMT11/systems/*.gz --plot-sizes FIGURE",
                "thresholds-newstest2011-sizes.svg",
            ),
            Step(
                "## The size of the test set: documents",
                "truegain threshold --ref $WMT11/ref.en.gz --docs $WMT11/docs.tsv.gz --name newstest2011 --sizes auto "
                "--subsets random --repetitions 10 $WMT11/systems/*.gz --plot-sizes FIGURE",
                "thresholds-newstest2011-documents.svg",
            ),
            Step(
                "## Variants of one system: words and subwords",
                "truegain threshold --ref $POOL/test2016/ref.en.gz -m bleu:tokenize=none --group '^(word|bpe)' "
                "-R 100000 $POOL/test2016/*-bk*.gz --plot FIGURE",
                "thresholds-multi30k.svg",
            ),
        ),
        """\
## What follows

- On 3,003 segments 0.8 BLEU or 0.55 chrF are usually significant. Had segments been taken for independent, as the paper
  and most tools do, it would have been 0.4 and 0.26: half of it. Of pairs with the larger gain all are significant.
- Hardly a pair has a p from .04 to .06, because gains are mostly far larger: the paper's own estimate has nothing to go
  by, and the standard errors of all pairs have.
- The threshold falls as one over the root of the size, within its intervals at every size, over segments and over
  documents. Below 100 segments it would be higher than that: there the standard errors are themselves uncertain, and a
  high percentile of them is too high (the exponent from 25 segments on is 0.54, from 100 on 0.52).
- Systems on words and on subwords differ no more from each other than among themselves: each of these systems was
  trained on data of its own, and that is what tells them apart. With 1,000 short segments it takes one BLEU point.
""",
    ),
    Page(
        "thresholds-parsing",
        "What gain is usually significant? Dependency parsing",
        f"""\
{_PAPER}
The data: the 25 parsers of the CoNLL 2018 shared task on English (EWT), 2,077 sentences, 316 documents, in `$CONLL18`.
""",
        (
            Step(
                "## 300 pairs, whole documents",
                "truegain threshold -m uas -m las --ref $CONLL18/gold.conllu.gz -R 100000 $CONLL18/systems/*.gz "
                "--plot FIGURE",
                "thresholds-parsing.svg",
            ),
            Step(
                "## The twelve best alone",
                "truegain threshold -m uas -m las --ref $CONLL18/gold.conllu.gz $CONLL18/systems/{LATTICE-18,"
                "HIT-SCIR-18,Stanford-18,NLP-Cube,CEA-LIST,TurkuNLP-18,ICS-PAS,UDPipe-Future,Uppsala-18,ParisNLP-18,"
                "SLT-Interactions,AntNLP}.conllu.gz",
            ),
            Step(
                "## The size of the test set: sentences",
                "truegain threshold -m uas -m las --ref $CONLL18/gold.conllu.gz --unit segment --sizes auto "
                "--subsets random --repetitions 10 $CONLL18/systems/*.gz --plot-sizes FIGURE",
                "thresholds-parsing-sizes.svg",
            ),
        ),
        """\
## What follows

- 0.9 UAS or LAS are usually significant on 316 documents, 0.7 if sentences were independent of each other.
- That is more than it takes among good parsers: 0.6 among the twelve best. The percentile is over all pairs, and those
  of a good parser and a poor one have larger errors, though nobody doubts their gains. To know what it takes among
  systems that are alike, give these alone.
- The threshold falls as n^−0.53, and the law of one over the root lies in the interval at every size.
""",
    ),
    Page(
        "thresholds-summaries",
        "What gain is usually significant? Summaries",
        f"""\
{_PAPER}
The data: REALSumm, 25 systems on 100 documents of CNN/DailyMail, 14 abstractive and 11 extractive, in `$REALSUMM`.
""",
        (
            Step(
                "## Abstractive and extractive systems",
                "truegain threshold -m rouge1 -m rouge2 -m rougel --ref $REALSUMM/ref.txt.gz --group '^(abs|ext)' "
                "-R 100000 $REALSUMM/systems/*.gz --plot FIGURE",
                "thresholds-summaries.svg",
            ),
        ),
        """\
## What follows

- With 100 documents it takes about two points of ROUGE.
- Here some pairs do have a p near .05, and the paper's estimate, from those 10 to 15, is close to that from the errors
  of all 299: 1.88 and 1.93, 2.04 and 1.96, 1.85 and 1.94.
- Extractive and abstractive systems need no other gains than systems of one kind.
- `abs.bart_out` and `ext.bart_out` are the same summaries under two names, and so no pair.
""",
    ),
    Page(
        "thresholds-alignment",
        "What gain is usually significant? Word alignment",
        f"""\
{_PAPER}
The data: the English-French Hansards, 447 sentences, 13 alignments: GIZA++ and fast_align, each forward, in reverse and
combined in four ways, and awesome-align, in `$HANSARDS`.
""",
        (
            Step(
                "## Alignments of one aligner and of several",
                "truegain threshold -m aer:reference_base=1 --ref $HANSARDS/gold.txt.gz --group '^([a-z]+)' -R 100000 "
                "$HANSARDS/systems/*.gz --plot FIGURE",
                "thresholds-alignment.svg",
            ),
        ),
        """\
## What follows

- Alignments of one aligner, which share most of their links, take 0.7 points of AER, those of different aligners 0.9:
  as in the paper, the more alike two systems are, the smaller a gain can be significant.
- Nearly all gains are far larger here: no pair has a p from .04 to .06.
- 13 alignments of three aligners say little of other aligners; the interval takes them for 13 systems.
""",
    ),
)
