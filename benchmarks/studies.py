"""``python -m benchmarks.studies``: the papers' tables on real systems and replicas, written to docs/studies/.

Most pages are made of commands and what they print; those of :data:`MEASURED` are written by programs of their own. The
data are not part of the project: see the notes on each page.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import optimizers, profiles, verdicts
from benchmarks.csv_tables import write_tables
from benchmarks.data import REAL_DATA, ROOT
from benchmarks.pages import Numbers, Page, Step
from benchmarks.thresholds import THRESHOLDS

__all__ = ["MEASURED", "PAGES", "Page", "Step", "main"]

_PLACES = {
    "POOL": REAL_DATA / "nmt_pool",
    "WMT11": REAL_DATA / "wmt11_deen",
    "MULTEVAL": REAL_DATA / "multeval_newstest2010" / "example",
    "CONLL18": REAL_DATA / "conll18_en_ewt",
    "REALSUMM": REAL_DATA / "realsumm_cnndm",
    "HANSARDS": REAL_DATA / "align_hansards" / "enfr",
}
_FOLDER = ROOT / "docs" / "studies"

_POOL = """\
`$POOL` holds small Transformers (3 + 3 layers, 2,500 updates) trained on the 29,000 sentence pairs of Multi30k,
German to English; runs of one system differ in the random seed alone. `test2016` has 1,000 segments, `val` (the
development set) 1,014. Text is tokenised and lowercased, so BLEU's tokeniser is off.
"""


_HALVES = ("full", "r1", "r2", "top", "bot", "odd", "even")
_RUNS = 'word="$POOL/test2016/word-full.*.en.gz" bpe="$POOL/test2016/bpe-full.*.en.gz"'
_GROUPS = (
    "word-full",
    *(f"bpe-{one}" for one in _HALVES),
    *(f"{m}-bk{n}" for m in ("word", "bpe") for n in (29, 14, 7)),
)
_SETS = "--set test2016=$POOL/test2016 --set coco2017=$POOL/coco2017 --ref ref.en.gz -m bleu:tokenize=none"
_THREE = "--set test2016=$POOL/test2016 --set val=$POOL/val --set coco2017=$POOL/coco2017"
_WMT11 = "--name newstest2011 --ref $WMT11/ref.en.gz"
_LANGUAGES = "--ref $WMT11/ref.en.gz --domains <(zcat $WMT11/docs.tsv.gz | cut -f2) $WMT11/systems/*.en.gz"
_GENRES = (
    "-m uas --ref $CONLL18/gold.conllu.gz --domains <(zcat $CONLL18/per_sentence_counts.tsv.gz | tail -n +2 | "
    "cut -f2 | cut -d- -f1) $CONLL18/systems/*.gz"
)
_LENGTHS = (
    'zcat $CONLL18/per_sentence_counts.tsv.gz | awk -F\'\\t\' \'NR>1 {sub("-.*","",$2); n[$2]++; w[$2]+=$3} END '
    '{for (d in n) printf "%s %.1f words\\n", d, w[d]/n[d]}\' | sort; paste <(zcat $WMT11/docs.tsv.gz | cut -f2) '
    "<(zcat $WMT11/ref.en.gz) | awk -F'\\t' '{n[$1]++; w[$1]+=split($2,a,\" \")} END "
    '{for (d in n) printf "%s %.1f words\\n", d, w[d]/n[d]}\' | sort; '
    f"truegain domains --draws 0 -R 100 {_LANGUAGES} -f json | python3 -c "
    '\'import json, sys; s = json.load(sys.stdin)["scores"]; '
    '[print(d, round(sum(x["score"] for x in s if x["set"] == d) / 20, 1), "BLEU") for d in sorted({x["set"] for x in '
    "s})]'"
)
_BINS = "--bins 0.00125,0.0025,0.005,0.01,0.02,0.04,0.08"
_DEV = '--dev-ref $POOL/val/ref.en.gz --dev word="$POOL/val/word-full.*.en.gz" --dev bpe="$POOL/val/bpe-full.*.en.gz"'

PAGES = (
    Page(
        "clark2011",
        "Optimizer instability (Clark et al. 2011) on 20 + 20 replicas",
        f"""\
Clark, Dyer, Lavie and Smith ("Better hypothesis testing for statistical machine translation", ACL 2011) tuned the
same systems repeatedly: the verdict of a test depended on the run. Here runs of neural systems differ in their seed:
`word`, a word vocabulary, against `bpe`, 4,000 subwords.

{_POOL}""",
        (
            Step(
                "## Table 1: how much scores vary",
                "truegain score --ref $POOL/test2016/ref.en.gz -m bleu:tokenize=none -m chrf -m meteor -m ter "
                f"{_RUNS} {_DEV}",
                shown=("BLEU varies",),
            ),
            Step(
                """\
## Table 2, as published

The best run of `bpe` against the worst of `word`, the medians, the worst against the best; then n runs of each, drawn
with replacement 250 times, and the middle 95 % of p by the paper's own test.""",
                "truegain replicate --ref $POOL/test2016/ref.en.gz -m bleu:tokenize=none --replacement "
                f"--test clark2011 --counts 1,2,3,5,10 {_RUNS}",
                shown=("BLEU: runs drawn", "BLEU: run of"),
            ),
            Step(
                """\
## Table 2, for new segments and new runs

Runs are drawn without replacement. The figure has the scores of all runs, and the gain by the number of runs.""",
                "truegain replicate --ref $POOL/test2016/ref.en.gz -m bleu:tokenize=none -m chrf -m ter "
                f"--counts 1,2,3,5,10 {_RUNS} --plot FIGURE",
                "clark2011.svg",
                ("With", "BLEU: runs drawn"),
            ),
            Step(
                "## How many runs does a gain of half a BLEU point take?",
                "truegain replicate --ref $POOL/test2016/ref.en.gz -m bleu:tokenize=none --gain 0.5 --counts 2,5,10 "
                f"-n 100 {_RUNS}",
                shown=("With",),
            ),
        ),
        """\
## What follows

- As in the paper, one run of each system can say anything: from +2.6 BLEU (p < .001) to +0.3 (p = .56), for a
  difference of 1.6 over all runs. One in ten random pairs of runs does not show it.
- The paper's test is significant in every draw from three runs on. It answers whether these outputs came from one
  pool, not whether new runs would differ. The crossed test answers that, and needs three runs of each system; with two
  it shows the gain in half of the draws by TER, in four fifths by BLEU and in nearly all by chrF.
- s_test is .30 to .51 of s_sel here (BLEU, chrF, METEOR, TER), in the paper .20 (BTEC, TER of B) to 1.0 (WMT). Most of
  what runs differ by is how they do on these very segments (`segment × run`).
- In the paper s_test is above s_dev, read as overfitting of the optimizer. Here s_dev is above s_test for all but
  METEOR and chrF2 of `word`: seeds are not tuned on the development set.
- The paper's advice of three runs or more is right for 1.6 BLEU. No number of runs shows half a BLEU point on 1,000
  segments with a power of .8.

## Beside the paper's figures

Table 1, average, s_sel, s_dev and s_test of systems A and B:

```text
        BTEC A          BTEC B          WMT A          WMT B
BLEU    48.4,1.6,.2,.5  49.9,1.5,.1,.4  18.5,.3,.0,.1  18.7,.3,.0,.2
METEOR  63.3,.9,–,.4    63.8,.9,–,.5    49.0,.2,–,.2   50.0,.2,–,.1
TER     30.2,1.1,–,.6   28.7,1.0,–,.2   65.5,.4,–,.3   64.9,.4,–,.4
```

Table 2, p of the paper (300 runs of BTEC's systems, 50 of WMT's; 250 draws) and of the same here, BLEU:

```text
runs                                                                            BTEC       WMT       here
A high, B low (here: the weaker system's best run, the stronger's worst)        .25        .95       .56
medians                                                                         .15        .13       <.001
A low, B high (the other way round)                                             .0003      .003      <.001
5 of each                                                                       .001–.034  .001–.38  <.001
50 of each (here 10)                                                            .001       .001–.33  <.001
```

The gain here is larger than theirs in units of s_sel (BTEC 1.5 of 1.6, WMT .2 of .3, here 1.6 of .8), so all but
single unlucky runs show it.
""",
    ),
    Page(
        "fu",
        "The run as the unit (Fu et al.) on seven systems of ten replicas",
        """\
Fu et al. take whole runs as the unit of a test. They compare intervals over runs, and p by the size of the
difference, S_diff. Counterparts of their systems: `bpe` trained on all data (`full`), on random halves (`r1`, `r2`),
on the first and second half (`top`, `bot`) and on every other pair of sentences (`odd`, `even`). `$POOL`: see
[optimizer instability](clark2011.md).
""",
        (
            Step(
                """\
## Tables 7 and 8, figures 2 to 5

Intervals by five methods, the overlap of every two, tests by each method, and the S_diff at which p is .05.""",
                "truegain intervals --ref $POOL/test2016/ref.en.gz -m bleu:tokenize=none -m nist:tokenize=none "
                + " ".join(f'{name}="$POOL/test2016/bpe-{name}.0*.en.gz"' for name in _HALVES)
                + " --plot FIGURE",
                "fu.svg",
                ("BLEU: drawn",),
            ),
        ),
        """\
## What follows

- **Intervals over runs leave out what varies most.** They hold the test set fixed and are 5 to 14 times narrower than
  those over segments. Fu et al.'s tests tell 19 or 20 of 21 pairs apart; for new runs on new segments 17 differ: not
  `top` and `r2` (0.49 BLEU), `bot` and `r2`, `r2` and `r1`.
- **Rows**, the method that the paper calls Clark's, take ten translations of one sentence for ten sentences. Their
  intervals are √10 = 3.2 times narrower than those of one run (in the paper √60 = 7.7 times), and their tests reject
  26 and 17 % of true nulls ([calibration](../calibration.md)).
- In the paper randomization and bootstrap agree on all ten decisions by runs, and disagree on five by rows. Here they
  agree on 20 of 21 pairs by rows and by runs (BLEU), on 20 and 19 (NIST). Agreement does not show that either is right:
  the bootstrap over runs rejects 11 to 49 % of true nulls ([calibration of runs](calibration-of-runs.md)).
- `fu-bootstrap` tells the random halves `r1` and `r2` apart (p = .046), `fu-ar` does not.
- If the difference is 0.04 BLEU, the folded bootstraps have p = .31 to .38, randomization .82 to .93.
- Overlapping intervals mean little: over segments, 8 pairs overlap that the crossed test tells apart.
- S_diff at p = .05 is 0.28 BLEU by Fu et al.'s own tests (0.39 by Welch's), 0.3 over rows, 0.6 over segments with all
  runs, 0.7 for both, 1.1 with one run of each. In the paper it is about .05, with 60 runs that vary less.

## Beside the paper's figures

Fu et al. have seven systems, 60 weight vectors of each (MERT, MIRA and PRO) and 3,064 sentences; `full` is their
TOTAL. Table 7, 95 % intervals of BLEU, and of NIST:

```text
       one run ("Riezler")  rows ("Clark")  runs (theirs)  NIST,one run  NIST,rows  NIST,runs
TOTAL  27.44–28.82          28.11–28.28     28.17–28.22    7.26–7.45     7.34–7.36  7.34–7.36
R1     26.86–28.22          27.51–27.69     27.55–27.64    7.19–7.38     7.26–7.28  7.26–7.28
R2     26.89–28.25          27.49–27.66     27.53–27.61    7.19–7.38     7.26–7.28  7.26–7.28
TOP    26.68–28.02          27.18–27.35     27.23–27.29    7.16–7.35     7.23–7.25  7.23–7.25
BOT    27.37–28.74          27.81–27.99     27.86–27.93    7.24–7.43     7.31–7.33  7.31–7.32
ODD    26.94–28.30          27.52–27.70     27.57–27.65    7.20–7.38     7.30–7.33  7.27–7.29
EVEN   27.32–28.67          27.74–27.91     27.79–27.86    7.21–7.40     7.27–7.30  7.28–7.29
```

(ODD and EVEN look exchanged under NIST by rows.) Table 8, p by randomization / bootstrap; the other 16 pairs have
.001 throughout:

```text
           BLEU,rows  BLEU,runs  NIST,rows  NIST,runs
R1, R2     .077/.234  .324/.121  .268/.291  .719/.265
R1, ODD    .666/.369  .783/.303  .001/.069  .005/.028
R2, ODD    .031/.199  .117/.082  .001/.101  .037/.045
BOT, EVEN  .001/.115  .018/.006  .001/.001  .001/.001
ODD, EVEN  .001/.001  .001/.001  .004/.154  .134/.089
```
""",
    ),
    Page(
        "multeval",
        "MultEval's own example",
        """\
The example that comes with MultEval (Clark et al. 2011): newstest2010, two systems of three optimizer runs each,
2,489 segments, lowercased and tokenised. `$MULTEVAL` is its folder `example`.
""",
        (
            Step(
                "## What the runs allow one to claim",
                "truegain compare --ref $MULTEVAL/refs.test2010.lc.tok.en.0.gz -m bleu:tokenize=none -m ter -m length "
                'baseline="$MULTEVAL/hyps.lc.tok.en.baseline.opt*.gz" sys1="$MULTEVAL/hyps.lc.tok.en.sys1.opt*.gz"',
                shown=("BLEU ↑",),
            ),
            Step(
                "## The table as MultEval prints it\n\n"
                "With MultEval's own test. Its own table has the same averages and deviations, 18.5 (0.3/0.1/-) and\n"
                "18.8 (0.3/0.3/0.00) BLEU, and p-values of 0.00, 0.00 and 0.09, drawn by another generator.",
                "truegain compare --ref $MULTEVAL/refs.test2010.lc.tok.en.0.gz -m bleu:tokenize=none -m ter -m length "
                "--test multeval-ar --adjust none --layout multeval -w 1 "
                'baseline="$MULTEVAL/hyps.lc.tok.en.baseline.opt*.gz" sys1="$MULTEVAL/hyps.lc.tok.en.sys1.opt*.gz"',
                shown=("Metric",),
            ),
            Step(
                "## Every test on them",
                "truegain compare --ref $MULTEVAL/refs.test2010.lc.tok.en.0.gz -m bleu:tokenize=none --test crossed "
                "--test ar --test bootstrap --test run-permutation --test welch --test clark2011 --test multeval-ar "
                "--test fu-bootstrap --test fu-ar --all-tests "
                'baseline="$MULTEVAL/hyps.lc.tok.en.baseline.opt*.gz" sys1="$MULTEVAL/hyps.lc.tok.en.sys1.opt*.gz"',
                shown=("BLEU by",),
            ),
        ),
        """\
## What follows

```text
                                               BLEU   TER      length
MultEval's p                                   .00    .00      .09
these runs on new segments (`ar`)              .010   <.001    .285
new runs on this test set (`run-permutation`)  .300   .100     .800
new runs on new segments (`crossed`)           .228   .110     .753
```

MultEval's averages and s_test equal ours (18.527 and 18.813 BLEU, 0.0573 and 0.294). It prints p = 0.00 for a copy of
the baseline, too: its test counts only differences that are strictly larger. Its p-value answers whether these very
outputs could have been dealt out by chance. The data do not show that `sys1` would be better if both systems were
tuned again: it varies by 0.29 BLEU from run to run, as much as the gain, and three runs are few. That is the point of
Clark et al.; the test in their tool does not make it.
""",
    ),
    Page(
        "domains",
        "Does it hold elsewhere (Berg-Kirkpatrick et al. 2012, section 4)? In parsing and translation",
        """\
Berg-Kirkpatrick, Burkett and Klein ("An empirical investigation of statistical significance in NLP", EMNLP 2012)
count, by p of two parsers on one section of a treebank, how often the better one is better on other sections and on
another domain. Here are their [table 1](#beside-the-papers-figures) for parsing and translation, p on test sets drawn
from a large one that is taken for the population, and their figure 11, test sets of one size from several domains.

- `$CONLL18`: 25 parsers of the CoNLL 2018 shared task on English (EWT), 2,077 sentences, 316 documents, five genres.
- `$WMT11`: newstest2011, German to English, 20 systems, 3,003 segments, 110 documents, written in five languages.
- `$POOL`: see [optimizer instability](clark2011.md). `coco2017` (461 segments) is of another domain: captions chosen
  for ambiguous verbs. The systems `bk` are made as in the paper: each was trained on 29,000, 14,500 or 7,250 pairs of
  its own, drawn with replacement.
""",
        (
            Step(
                """\
## Table 1: 25 parsers, five genres

300 pairs and 20 transfers, whole documents; the bins are those of the paper.""",
                f"truegain domains {_GENRES} --draws 0 {_BINS} --plot FIGURE",
                "domains-genres.svg",
            ),
            Step(
                """\
## Table 1: 24 translation systems, two sets of one domain and one of another

276 pairs. `test2016` and `val` are of one domain, as the paper's sections 23, 22 and 24; `coco2017` stands for Brown.
In the figure, hollow marks are test sets of 461 segments drawn from a set; the sign is that of the whole.""",
                f"truegain domains {_THREE} --ref ref.en.gz -m bleu:tokenize=none --draw 461 {_BINS} '*-bk*.en.gz' "
                "--plot FIGURE",
                "domains.svg",
            ),
            Step(
                """\
## The same with 14 systems of four to twenty runs

Scores are means over runs: what varies by chance from run to run is mostly averaged out.""",
                f"truegain domains {_SETS} --draws 0 " + " ".join(f"'{name}={name}.*.en.gz'" for name in _GROUPS),
            ),
            Step(
                "## A pair with opposite results: test2016",
                "truegain compare --ref $POOL/test2016/ref.en.gz -m bleu:tokenize=none "
                'top="$POOL/test2016/bpe-top.*.en.gz" even="$POOL/test2016/bpe-even.*.en.gz"',
            ),
            Step(
                "## The same pair: coco2017",
                "truegain compare --ref $POOL/coco2017/ref.en.gz -m bleu:tokenize=none "
                'top="$POOL/coco2017/bpe-top.*.en.gz" even="$POOL/coco2017/bpe-even.*.en.gz"',
            ),
            Step(
                """\
## Five languages that newstest2011 was written in

The language of the original is the domain. Documents are the unit.""",
                f"truegain domains --draws 0 {_BINS} --docs <(zcat $WMT11/docs.tsv.gz | cut -f1) {_LANGUAGES}",
            ),
            Step(
                """\
## Figure 11: 200 sentences of each genre

Does the domain change what gain is significant, at one size? Sentences are the unit, as in the paper.""",
                f"truegain domains {_GENRES} --unit segment --draw 200 --plot-confidence FIGURE",
                "domains-confidence.svg",
            ),
            Step(
                """\
## Figure 11: 598 segments of each language of newstest2011

The smallest of the five has 598.""",
                f"truegain domains --unit segment --draw 598 {_LANGUAGES}",
            ),
            Step(
                """\
## What the domains differ in: words per sentence and segment, and BLEU

The mean number of words of each genre of EWT and of each language of newstest2011, and the mean BLEU of the 20
systems.""",
                _LENGTHS,
            ),
            Step(
                """\
## newstest2011 as the population, by segments

Test sets of 200, 500 and 1,000 segments, 500 of each size.""",
                f"truegain domains {_WMT11} --draws 500 --draw 200 --draw 500 --draw 1000 --plot FIGURE "
                "$WMT11/systems/*.en.gz",
                "domains-draws.svg",
            ),
            Step(
                "## newstest2011 as the population, by documents",
                f"truegain domains {_WMT11} --docs <(zcat $WMT11/docs.tsv.gz | cut -f1) --draws 500 --draw 10 "
                "--draw 20 --draw 50 $WMT11/systems/*.en.gz",
            ),
        ),
        """\
## What follows

- **Within a domain p keeps its word.** On test sets drawn from newstest2011, p between .04 and .06 had the right sign
  in 94.6 to 95.3 % of cases by segments and 94.7 to 96.4 % by documents; on sets drawn from Multi30k in 92 to 95 %,
  from EWT's genres in 94 to 96 % (the paper: 92 %, 869 of 942). Wrong claims at 5 % are .1 to .5 % of all pairs and
  draws. Shares near 1 − p are no law: they follow from true differences spread evenly around zero. On new *documents*
  trust only p by documents ([calibration](../calibration.md)).
- **Large differences hold in another domain.** With p ≤ .00125 the sign is the same in 99.6 % of cases between genres
  and 97.2 % between languages. All 193 pairs of single runs with p ≤ .01 on test2016 have the same sign on coco2017,
  and 183 of 185 the other way round.
- **Small ones hold less often; how much less depends on the domain.** Between EWT's genres, all web text that the
  parsers were trained on, shares are at most 8 points below those of one domain, within their intervals: the paper's
  fall on Brown does not come out. Between the languages of newstest2011 they are 6 to 21 points below, beyond the
  intervals for p ≤ .00125 and for .04 to .06. From test2016 and val to coco2017 they fall to 54 %, nearly as on Brown;
  but 24 systems have few such pairs, and the intervals are wide.
- **Averaged over runs it is plain.** Of 91 pairs of means, six are significant on both sets in opposite directions.
  `even` beats `top` by 1.76 BLEU on test2016 and loses by 1.47 on coco2017 (crossed test, both p < .001): which half of
  the training data is better depends on what is translated.
- **A test set is several domains.** Between the languages of newstest2011, 88 to 98 % of significant differences keep
  their sign; 12 of 190 pairs are significant in opposite directions. Nothing is adjusted for the number of pairs: p <
  .001 on both sides is worth a look, p = .04 is not.
- **At one size, length and scores move the threshold.** The paper finds that the domain hardly does (figure 11); on
  Multi30k it moves by 4 % at most. For EWT's genres 1/√words predicts .77, .97, 1.02, 1.12 and 1.12 of the mean
  (weblog, newsgroup, answers, email, reviews), for the languages of newstest2011 BLEU/√words 1.22, 1.24, .80, .82 and
  .91 (de, en, cz, es, fr). A threshold for a number of sentences carries over if sentences and scores are alike.

## Beside the paper's figures

Table 1 of the paper has pairs of parsers by p on section 23 of the Wall Street Journal: the share with the same sign
on sections 22 and 24 and on Brown, in per cent (band around .05: 58 pairs). Below it our shares, with the number of
cases, which are not independent:

```text
p                                   .00125–.0025  .0025–.005  .005–.01    .01–.02     .02–.04     .04–.08     .04–.06
the paper, section 22               97            92          92          88          87          83          83
the paper, section 24               95            92          85          92          78          74          71
the paper, Brown                    73            60          56          54          51          48          48
EWT, five genres, UAS               98.4(128)     92.9(184)   93.2(148)   89.4(208)   86.1(252)   80.0(268)   78.8(144)
– expected of one domain            97.8          96.1        95.4        93.6        90.8        85.9        86.8
newstest2011, languages             91.7(120)     86.7(60)    85.5(124)   83.0(112)   81.0(116)   71.9(160)   66.3(92)
– expected of one domain            97.8          95.6        95.1        92.3        89.4        86.4        87.2
test2016 to val and back, BLEU      86(7)         82(11)      100(10)     93(14)      83(18)      83(24)      90(10)
test2016 and val to coco2017, BLEU  71(7)         91(11)      100(10)     71(14)      61(18)      54(24)      60(10)
```

Shares of 100 % are not to be expected within a domain either: a difference with p = .05 is itself uncertain. Pairs
without a difference on the target count half; counted as another sign, they make EWT's shares 92.4, 79.9 and 78.5 in
the second bin, the sixth and the band. Other seeds move up to 32 cases of EWT from bin to bin, and shares by up to
3.4 points.

Figure 11, the gain that is usually significant on test sets of one size as a share of the mean of the sets:

```text
test sets                                                              shares of the mean
the paper: 1,600 sentences of sections 22, 23 and 24 and Brown, F1     alike (curves, no figures)
EWT: 200 sentences of weblog, newsgroup, answers, email, reviews, UAS  .82,1.00,1.02,1.10,1.06
Multi30k: 461 segments of test2016, val, coco2017, BLEU                1.01,1.03,.96
newstest2011: 598 segments from de, en, cz, es, fr, BLEU               1.20,1.18,.86,.90,.87
```
""",
    ),
    *THRESHOLDS,
)

#: Pages that are no commands and what they print: each is told where to write.
MEASURED: dict[str, Callable[[Path], None]] = {
    "metrics-disagree": verdicts.write,
    "optimizers": optimizers.write,
    "thresholds-profiles": profiles.write,
}


def printed_before(page: Page, folder: Path) -> list[str]:
    """Return what the commands printed when the page was last written."""
    return page.printed((folder / "data" / f"{page.name}.txt").read_text(encoding="utf-8"))


def numbers_before(page: Page, folder: Path) -> Numbers:
    """Return the numbers of the commands' results when the page was last written."""
    if page.beside is None:
        return ()
    with (folder / "data" / f"{page.name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run_all(page: Page, folder: Path) -> tuple[list[str], Numbers]:
    """Return what the commands of a page print, and the thresholds in their results if the page compares them."""
    if page.beside is None:
        return [run(step, folder) for step in page.steps], ()
    printed: list[str] = []
    numbers: list[dict[str, str]] = []
    with tempfile.TemporaryDirectory() as place:
        result = Path(place) / "result.json"
        for step in page.steps:
            printed.append(run(step, folder, result))
            rows = json.loads(result.read_text(encoding="utf-8"))["thresholds"]
            numbers += [{"step": f"{len(printed)}"} | {key: f"{value}" for key, value in row.items()} for row in rows]
    write_tables(folder / f"{page.name}.md", {page.name: [list(numbers[0]), *(list(row.values()) for row in numbers)]})
    return printed, numbers


def run(step: Step, folder: Path, result: Path | None = None) -> str:
    """Return what the command prints; the figure goes to the folder, and the result to a file."""
    command = step.command
    if step.figure is not None:
        (folder / "figures").mkdir(parents=True, exist_ok=True)
        command = command.replace("FIGURE", str(folder / "figures" / step.figure))
    environment = {**os.environ, "COLUMNS": "100", **{name: str(place.resolve()) for name, place in _PLACES.items()}}
    program = f"{sys.executable} -m truegain"
    typed = command.replace("truegain", program, 1)
    done = subprocess.run(
        ["bash", "-c", typed if result is None else f"{typed} -o {result} >&2 && {program} render {result}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"{command}\n{done.stderr}")
    printed = done.stdout
    for name, place in _PLACES.items():
        printed = printed.replace(str(place.resolve()), f"${name}")
    return printed


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pages asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "pages", nargs="*", choices=[[], *(page.name for page in PAGES), *MEASURED], help="default: all"
    )
    parser.add_argument("--output", type=Path, default=_FOLDER)
    parser.add_argument("--texts", action="store_true", help="only the texts: run no command again")
    given = parser.parse_args(arguments)
    missing = [str(place) for place in _PLACES.values() if not place.exists()]
    if missing and not given.texts:
        raise SystemExit(f"the data are not there: {', '.join(missing)}")
    (given.output / "data").mkdir(parents=True, exist_ok=True)
    for page in PAGES:
        if not given.pages or page.name in given.pages:
            if given.texts:
                printed, numbers = printed_before(page, given.output), numbers_before(page, given.output)
            else:
                printed, numbers = run_all(page, given.output)
            (given.output / f"{page.name}.md").write_text(page.text(printed, numbers), encoding="utf-8")
            (given.output / "data" / f"{page.name}.txt").write_text(page.outputs(printed), encoding="utf-8")
            print(f"wrote {given.output / page.name}.md")
    for name, write in MEASURED.items():
        if name in given.pages or not (given.pages or given.texts):  # their texts are not apart from their figures
            write(given.output / f"{name}.md")
            print(f"wrote {given.output / name}.md")


if __name__ == "__main__":
    main()
