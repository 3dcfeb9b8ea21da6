"""The pages on the gain that is usually significant: after Berg-Kirkpatrick et al. (2012), on other systems."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from benchmarks.pages import Numbers, Page, Step, columns

__all__ = ["THRESHOLDS", "beside", "figure"]

_PAPER = """\
Berg-Kirkpatrick, Burkett and Klein (EMNLP 2012) tested all pairs of many systems and read off the gain that is usually
significant: the 95th percentile of the gains of pairs with p from .04 to .06. Here it is that of other systems on
other test sets, made by [truegain threshold](../threshold.md)."""


def figure(numbers: Numbers, step: int, metric: str, group: str, unit: str) -> str:
    """Return a threshold in the results of the commands; steps are counted from 1."""
    wanted = {"step": str(step), "metric": metric, "group": group, "unit": unit}
    (row,) = (row for row in numbers if wanted.items() <= row.items())
    return f"{float(row['gain']):.2f}"


def beside(
    unit: str,
    said: str,
    paper: Sequence[tuple[str, int, Sequence[tuple[str, float]]]],
    ours: Sequence[tuple[str, int, tuple[int, str, str, str]]],
) -> Callable[[Numbers], str]:
    """Return what makes the section of the paper's thresholds next to ours.

    Parameters
    ----------
    unit : str
        What the sizes of test sets are counted in.
    said : str
        A sentence on what is compared.
    paper : sequence of (test set, units, thresholds by kind of pairs)
    ours : sequence of (test set, units, arguments of :func:`figure`)
        The paper's thresholds are scaled to each of these sizes by one over the root.
    """

    def section(numbers: Numbers) -> str:
        sizes = list(dict.fromkeys(size for _, size, _ in ours))
        rows = []
        for name, size, thresholds in paper:
            for kind, gain in thresholds:
                scaled = [f"{gain * math.sqrt(size / one):.2f}" for one in sizes]
                rows.append([f"the paper: {name}, {kind}", f"{size:,}", f"{gain:.2f}", *scaled])
        for name, size, which in ours:
            found = figure(numbers, *which)
            rows.append([f"here: {name}", f"{size:,}", found, *(found if one == size else "" for one in sizes)])
        headings = ["", unit, "threshold", *(f"on {size:,}" for size in sizes)]
        return (
            "## Beside the paper's figures\n\nThe test sets have different sizes: the paper's thresholds are also "
            f"scaled to the sizes here, by one over the root of\nthe size. {said}\n\n{columns(headings, rows)}\n"
        )

    return section


THRESHOLDS = (
    Page(
        "thresholds-translation",
        "What gain is usually significant? Machine translation",
        f"""\
{_PAPER}

`$WMT11`: newstest2011, German to English, 20 anonymised systems, 3,003 segments, 110 documents. `$POOL`: 24
small Transformers on words or subwords, each trained on 29,000, 14,500 or 7,250 pairs of Multi30k of its own; 1,000
segments.
""",
        (
            Step(
                "## newstest2011: 190 pairs, whole documents",
                "truegain threshold --ref $WMT11/ref.en.gz --docs $WMT11/docs.tsv.gz --name newstest2011 -m bleu "
                "-m chrf -R 100000 $WMT11/systems/*.gz --plot FIGURE",
                "thresholds-newstest2011.svg",
                ("BLEU ↑",),
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
                ("BLEU ↑",),
            ),
        ),
        """\
## What follows

- **Larger than the paper's.** By segments it takes 0.40 BLEU on newstest2011, where the paper's .28 and .37 would be
  .23 and .30, and on the pool 1.02 and 1.04, where they would be .40 and .53. The paper's systems were Moses and
  Joshua, retrained. The pool's sentences are short (13 words), so a segment says less.
- **One kind and different kinds.** In the paper different systems take a third more than variants of one. Here words
  and subwords make no difference: each system was trained on data of its own, and that tells them apart.
- **Segments are not independent.** By documents 0.8 BLEU or 0.55 chrF are usually significant on 3,003 segments; by
  segments, as in the paper and most tools, 0.4 and 0.26. The half BLEU point of folklore does by segments only.
- Hardly a pair has p from .04 to .06, so the paper's own estimate has nothing to work with.
- The threshold falls as one over the root of the size, within its intervals at every size: from 2.35 BLEU on 100
  segments to 0.40 on 3,003, with an exponent of 0.52 (0.54 from 25 segments on: the standard errors are then too
  uncertain). The paper's thresholds for F1 on Brown (3.00 on 100 sentences, .22 on 24,000) give .48.
""",
        beside(
            "segments",
            "All are over segments, as the paper has it.",
            [("BLEU, WMT10 de-en", 2_034, (("same system", 0.28), ("different systems", 0.37)))],
            [
                ("BLEU, newstest2011, all pairs", 3_003, (1, "bleu", "all", "segment")),
                ("BLEU, pool, same model", 1_000, (4, "bleu:tokenize=none", "same", "segment")),
                ("BLEU, pool, different models", 1_000, (4, "bleu:tokenize=none", "different", "segment")),
            ],
        ),
    ),
    Page(
        "thresholds-parsing",
        "What gain is usually significant? Dependency parsing",
        f"""\
{_PAPER}

The data: the 25 parsers of the CoNLL 2018 shared task on English (EWT), 2,077 sentences, 316 documents, in
`$CONLL18`.
""",
        (
            Step(
                "## 300 pairs, whole documents",
                "truegain threshold -m uas -m las --ref $CONLL18/gold.conllu.gz -R 100000 $CONLL18/systems/*.gz "
                "--plot FIGURE",
                "thresholds-parsing.svg",
                ("UAS ↑",),
            ),
            Step(
                "## The twelve best alone",
                "truegain threshold -m uas -m las --ref $CONLL18/gold.conllu.gz $CONLL18/systems/{LATTICE-18,"
                "HIT-SCIR-18,Stanford-18,NLP-Cube,CEA-LIST,TurkuNLP-18,ICS-PAS,UDPipe-Future,Uppsala-18,ParisNLP-18,"
                "SLT-Interactions,AntNLP}.conllu.gz",
                shown=("UAS ↑",),
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

- **As large as in the paper, given the size.** Its thresholds for UAS on Chinese would be .69 and .87 on 2,077
  sentences; here it is .68 over all pairs.
- 0.9 UAS or LAS are usually significant on 316 documents, 0.7 if sentences were independent.
- Among the twelve best 0.6 is enough. The percentile is over all pairs, and pairs of a good and a poor parser have
  larger errors. To know what it takes among systems that are alike, give these alone.
- The threshold falls as n^−0.53; one over the root lies in the interval at every size (the paper's F1 on Brown: .48).
- There are no systems here for F1 of constituents (.47 and .57 on WSJ section 23).
""",
        beside(
            "sentences",
            "All are over sentences, as the paper has it.",
            [("UAS, CoNLL 2007 Chinese", 690, (("same parser", 1.20), ("different parsers", 1.51)))],
            [
                ("UAS, CoNLL 2018 English, all pairs", 2_077, (1, "uas", "all", "segment")),
                ("UAS, the twelve best", 2_077, (2, "uas", "all", "segment")),
            ],
        ),
    ),
    Page(
        "thresholds-summaries",
        "What gain is usually significant? Summaries",
        f"""\
{_PAPER}

The data: REALSumm, 25 systems on 100 documents of CNN/DailyMail, 14 abstractive and 11 extractive, in
`$REALSUMM`.
""",
        (
            Step(
                "## Abstractive and extractive systems",
                "truegain threshold -m rouge1 -m rouge2 -m rougel --ref $REALSUMM/ref.txt.gz --group '^(abs|ext)' "
                "-R 100000 $REALSUMM/systems/*.gz --plot FIGURE",
                "thresholds-summaries.svg",
                ("ROUGE-1 ↑",),
            ),
        ),
        """\
## What follows

- With 100 documents it takes about two points of ROUGE, two and a half times the paper's threshold on as many
  collections. A collection is not a document, and the systems are others: which of the two matters is not known.
- 10 to 15 pairs have p near .05 (in the paper 47). The paper's estimate from them is close to that from the errors of
  all 299 pairs: 1.88 and 1.93, 2.04 and 1.96, 1.85 and 1.94.
- Extractive and abstractive systems need the same gains as systems of one kind.
- `abs.bart_out` and `ext.bart_out` are the same summaries under two names, and so no pair.
""",
        beside(
            "units",
            "The paper's units are collections of documents, those here documents.",
            [("ROUGE, TAC 2008, collections", 48, (("all pairs", 1.10),))],
            [
                ("ROUGE-1, REALSumm, documents, all pairs", 100, (1, "rouge1", "all", "segment")),
                ("ROUGE-2", 100, (1, "rouge2", "all", "segment")),
                ("ROUGE-L", 100, (1, "rougel", "all", "segment")),
            ],
        ),
    ),
    Page(
        "thresholds-alignment",
        "What gain is usually significant? Word alignment",
        f"""\
{_PAPER}

The data: the English-French Hansards, 447 sentences, 13 alignments: GIZA++ and fast_align, each forward, in
reverse and combined in four ways, and awesome-align, in `$HANSARDS`.
""",
        (
            Step(
                "## Alignments of one aligner and of several",
                "truegain threshold -m aer:reference_base=1 --ref $HANSARDS/gold.txt.gz --group '^([a-z]+)' -R 100000 "
                "$HANSARDS/systems/*.gz --plot FIGURE",
                "thresholds-alignment.svg",
            ),
            Step(
                """\
## Three classes of pairs

In the paper, pairs of an ITG and an HMM aligner have a curve of their own. Here the classes are one aligner, the two
statistical aligners, and the neural one with either of them.""",
                "truegain threshold -m aer:reference_base=1 --ref $HANSARDS/gold.txt.gz -R 100000 "
                "$HANSARDS/systems/*.gz --plot FIGURE --pair-classes <(ls -r $HANSARDS/systems | sed 's/.txt.gz$//' | "
                "awk -F. -v OFS='\\t' '{all[NR] = $0; own[NR] = $1; for (i = 1; i < NR; i++) print all[i], $0, "
                'own[i] == $1 ? "one aligner" : $1 ~ /awesome/ ? "awesome and others" : "giza and fastalign"}\')',
                "thresholds-alignment-classes.svg",
                ("AER ↓",),
            ),
        ),
        """\
## What follows

- Alignments of one aligner take 0.7 points of AER, those of different aligners 0.9: the more alike two systems are,
  the smaller a gain can be significant. In the paper the difference is larger, .50 and 1.12 on 100 sentences.
- Both are larger than the paper's would be on 447 sentences, .24 and .53. Ours of one aligner are combined in
  different ways, which changes many links.
- The two statistical aligners have no more in common than the neural one and either of them: 0.93 and 0.89.
- No pair has p from .04 to .06: nearly all gains are far larger.
- 13 alignments of three aligners say little about other aligners; the interval takes them for 13 systems.
""",
        beside(
            "sentences",
            "All are over sentences, as the paper has it.",
            [("AER, Hansards", 100, (("same model", 0.50), ("different models", 1.12)))],
            [
                ("AER, one aligner", 447, (1, "aer:reference_base=1", "same", "segment")),
                ("AER, different aligners", 447, (1, "aer:reference_base=1", "different", "segment")),
            ],
        ),
    ),
)
