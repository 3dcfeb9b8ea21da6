"""Do profiles predict which gains are significant? Every pair of systems, predicted from all other systems.

``python -m benchmarks.studies thresholds-profiles`` writes the page. The data are not part of the project.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.csv_tables import link, write_tables
from benchmarks.data import REAL_DATA
from benchmarks.pages import columns
from truegain.inference.distributions import normal_quantile
from truegain.inference.profiles import drawn_weights, significant_share
from truegain.readers.corpora import read_corpus
from truegain.studies.threshold import ThresholdResult, threshold
from truegain.version import __version__

__all__ = ["METRICS", "Class", "Predicted", "classes", "page", "predicted", "profiles", "write"]

#: The metrics of the gains.
METRICS = ("BLEU", "chrF2")
_RESAMPLES = 10_000
#: The names of the tables.
_FOUND, _COUNTS = "thresholds-profiles", "thresholds-profiles-pairs"
_DRAWS = 1_000
_CLASSES = 5
_AT_ONCE = 50  # draws whose weights are held

Floats = NDArray[np.float64]
#: The probability that a gain is significant: from gains and errors of other pairs, the gain, the largest error.
Predict = Callable[[Floats, Floats, float, float], float]


def by_profile(gains: Floats, errors: Floats, gain: float, needed: float) -> float:
    """Predict as the product does."""
    return float(significant_share(gains, errors, gain, needed)[0])


def by_share(gains: Floats, errors: Floats, gain: float, needed: float) -> float:
    """Predict by the share of all pairs with errors that are small enough, whatever their gains."""
    return float((errors <= needed).mean())


@dataclass(frozen=True)
class Predicted:
    """Predictions for the pairs of one test set and metric, and whether they are significant.

    Attributes
    ----------
    firsts, seconds : array
        The systems of each pair.
    """

    testset: str
    systems: int
    firsts: NDArray[np.int64]
    seconds: NDArray[np.int64]
    probabilities: Floats
    significant: NDArray[np.bool_]


@dataclass(frozen=True)
class Class:
    """Pairs with predictions of one class: how many, the mean prediction, the share that is significant, its error."""

    low: float
    pairs: int
    predicted: float
    significant: float
    error: float

    @property
    def kept(self) -> bool:
        """True if the two are within 5 points and two standard errors, or if there is no pair."""
        return self.pairs == 0 or abs(self.predicted - self.significant) <= 0.05 + 2.0 * self.error


def predicted(
    profile: ThresholdResult, metric: str, *, predict: Predict = by_profile, similar: bool = False
) -> Predicted:
    """Predict every pair from the pairs of all systems but these two; ``similar`` takes pairs with one label alone."""
    key = next(one.key for one in profile.metrics if one.label == metric)
    pairs = [
        one
        for one in profile.pairs
        if one.metric == key and one.se > 0.0 and one.delta > 0.0 and (not similar or one.group == "same")
    ]
    names = {name: place for place, name in enumerate(dict.fromkeys(one.name for one in profile.scores))}
    firsts, seconds = (np.array([names[getattr(one, side)] for one in pairs]) for side in ("baseline", "system"))
    gains, errors = (np.array([getattr(one, field) for one in pairs]) for field in ("delta", "se"))
    quantile = normal_quantile(1.0 - profile.alpha)
    found = []
    for first, second, gain in zip(firsts, seconds, gains, strict=True):
        others = (firsts != first) & (firsts != second) & (seconds != first) & (seconds != second)
        found.append(predict(gains[others], errors[others], float(gain), float(gain / quantile)))
    shown = np.array([one.p <= profile.alpha for one in pairs])
    return Predicted(profile.testset.name, len(names), firsts, seconds, np.array(found), shown)


def classes(everything: Sequence[Predicted], *, seed: int = 1) -> list[Class]:
    """Sort all pairs into classes of predicted probability; errors come from draws of the systems of each test set."""
    generator = np.random.default_rng(seed)
    drawn = np.zeros((2, _DRAWS, _CLASSES))  # pairs, and the sum of significant minus predicted
    counts = {
        (one.testset, one.systems): generator.multinomial(one.systems, np.full(one.systems, 1 / one.systems), _DRAWS)
        for one in everything
    }  # the same systems under every metric
    for one in everything:
        own = np.eye(_CLASSES)[_class_of(one.probabilities)]
        gaps = own * (one.significant - one.probabilities)[:, None]
        for start in range(0, _DRAWS, _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            chosen = counts[one.testset, one.systems][part].astype(float)
            weights = drawn_weights(one.firsts, one.seconds, chosen)
            drawn[0, part] += weights @ own
            drawn[1, part] += weights @ gaps
    probabilities = np.concatenate([one.probabilities for one in everything])
    shown = np.concatenate([one.significant for one in everything])
    place = _class_of(probabilities)
    found = []
    for number in range(_CLASSES):
        mine = place == number
        some = drawn[0, :, number] > 0.0
        found.append(
            Class(
                low=number / _CLASSES,
                pairs=int(mine.sum()),
                predicted=float(probabilities[mine].mean()) if mine.any() else float("nan"),
                significant=float(shown[mine].mean()) if mine.any() else float("nan"),
                error=float((drawn[1, some, number] / drawn[0, some, number]).std()) if mine.any() else float("nan"),
            )
        )
    return found


def _class_of(probabilities: Floats) -> NDArray[np.int64]:
    return np.minimum((probabilities * _CLASSES).astype(np.int64), _CLASSES - 1)


def loss(everything: Sequence[Predicted]) -> float:
    """Return the logarithmic loss of the predictions, the sum over pairs."""
    probabilities = np.clip(np.concatenate([one.probabilities for one in everything]), 0.001, 0.999)
    shown = np.concatenate([one.significant for one in everything])
    return float(-np.where(shown, np.log(probabilities), np.log1p(-probabilities)).sum())


def profiles(*, resamples: int = _RESAMPLES, data: Path = REAL_DATA) -> Iterator[ThresholdResult]:
    """Make the profiles: what the commands on the page make."""
    yield _profile(
        "WMT11 de-en",
        data / "wmt11_deen" / "ref.en.gz",
        sorted((data / "wmt11_deen" / "systems").glob("*.gz")),
        resamples,
        documents=data / "wmt11_deen" / "docs.tsv.gz",
    )
    folder = data / "sacrebleu_wmt17_ende"
    yield _profile("WMT17 en-de", folder / "ref0.de.gz", sorted((folder / "systems").glob("*.gz")), resamples)
    folder = data / "wmt23_mtme"
    for pair in ("en-de", "zh-en"):
        outputs = sorted((folder / "system-outputs" / pair).glob("*.txt.gz"))
        systems = [one for one in outputs if not re.match("refA|synthetic_ref", one.name)]
        documents = folder / "documents" / f"{pair}.docs.gz"
        reference = folder / "references" / f"{pair}.refA.txt.gz"
        yield _profile(f"WMT23 {pair}", reference, systems, resamples, documents=documents)
    for name in ("test2016", "coco2017"):
        folder = data / "nmt_pool" / name
        systems = sorted(folder.glob("*-*.en.gz"))
        yield _profile(f"pool {name}", folder / "ref.en.gz", systems, resamples, bleu="bleu:tokenize=none", labels=True)


def _profile(
    name: str,
    reference: Path,
    systems: Sequence[Path],
    resamples: int,
    *,
    documents: Path | None = None,
    bleu: str = "bleu",
    labels: bool = False,
) -> ThresholdResult:
    corpus = read_corpus(
        list(map(str, systems)), [str(reference)], documents=None if documents is None else str(documents), name=name
    )
    return threshold(
        corpus, metrics=[bleu, "chrf"], groups=r"^(\w+-\w+)" if labels else None, resamples=resamples, jobs=1
    )


def _bounds(number: int) -> str:
    return f"{100 * number / _CLASSES:.0f}–{100 * (number + 1) / _CLASSES:.0f}"


def classes_rows(found: Mapping[str, Sequence[Class]]) -> list[list[str]]:
    """Return the classes of every choice of pairs, with headings."""
    rows = [["pairs of", "predicted, %", "pairs", "mean, %", "significant, %", "error", "within"]]
    for what, own in found.items():
        for number, one in enumerate(own):
            figures = ["–"] * 3
            if one.pairs:
                figures = [f"{100 * share:.1f}" for share in (one.predicted, one.significant, one.error)]
            rows.append([what, _bounds(number), f"{one.pairs:,}", *figures, "yes" if one.kept else "no"])
    return rows


def gaps_table(found: Mapping[str, Sequence[Class]]) -> str:
    """Return how many points more pairs are significant than predicted, with standard errors."""
    rows = []
    for what, own in found.items():
        cells = [f"{100 * (one.significant - one.predicted):+.1f}±{100 * one.error:.1f}" for one in own]
        rows.append([what, *(cell if one.pairs else "–" for cell, one in zip(cells, own, strict=True))])
    return columns(["", *map(_bounds, range(_CLASSES))], rows)


def counts_rows(everything: Sequence[Predicted], profiles: Sequence[ThresholdResult]) -> list[list[str]]:
    """Return the pairs of each test set by class, over all metrics, with headings."""
    rows = [["test set", "systems", "units", *map(_bounds, range(_CLASSES))]]
    for profile in profiles:
        mine = [one for one in everything if one.testset == profile.testset.name]
        counts = np.bincount(np.concatenate([_class_of(one.probabilities) for one in mine]), minlength=_CLASSES)
        units = f"{profile.n_units:,} {profile.unit}s"
        rows.append([profile.testset.name, f"{mine[0].systems}", units, *(f"{count:,}" for count in counts)])
    return rows


def page(found: Mapping[str, Sequence[Class]], losses: Sequence[float], resamples: int) -> str:
    """Return the page, given the classes of all choices of pairs and the four losses."""
    pooled = [row[1:] for row in classes_rows(found)[1 : 1 + _CLASSES]]
    parts = [
        _OPENING.format(version=__version__, resamples=resamples, counts=link(_COUNTS)),
        columns(["predicted, %", "pairs", "mean, %", "significant, %", "error", "within"], pooled),
        _GAPS.format(classes=link(_FOUND)),
        gaps_table(found),
        "The logarithmic loss of the plain share is {:.0f}, that of the profiles {:.0f}; among the WMT systems {:.0f} "
        "and {:.0f}.\n".format(*losses),
        _CLOSING,
        "Made by `python -m benchmarks.studies thresholds-profiles`; do not edit the figures by hand.",
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def write(path: Path) -> None:
    """Make the profiles, and write the page and its tables."""
    made = list(profiles())
    by_metric = {metric: [predicted(one, metric) for one in made] for metric in METRICS}
    pooled = [one for mine in by_metric.values() for one in mine]
    plain = [predicted(one, metric, predict=by_share) for metric in METRICS for one in made]
    similar = [predicted(one, metric, similar=True) for metric in METRICS for one in made if one.labels]
    shared, plainly_shared = ([one for one in own if one.testset.startswith("WMT")] for own in (pooled, plain))
    chosen = {
        "all": pooled,
        **{f"{metric} alone": mine for metric, mine in by_metric.items()},
        "WMT systems": shared,
        "runs of one system": similar,
        "all, by the plain share": plain,
    }
    found = {what: classes(own) for what, own in chosen.items()}
    losses = [loss(own) for own in (plain, pooled, plainly_shared, shared)]
    path.write_text(page(found, losses, made[0].resamples), encoding="utf-8")
    write_tables(path, {_FOUND: classes_rows(found), _COUNTS: counts_rows(pooled, made)})


_OPENING = """\
# Do profiles predict which gains are significant?

Berg-Kirkpatrick, Burkett and Klein (2012, sections 3.1.1 and 5) meant their thresholds for readers who have two scores
and no outputs. [Profiles](../threshold.md#profiles) give them a probability. Here every pair of systems is predicted
from a profile *without these two systems*, and compared with what the bootstrap says of their outputs (truegain
{version}, {resamples:,} resamples, one-sided p ≤ .05). The profiles are those of

```text
$ truegain threshold -m bleu -m chrf --ref $WMT11/ref.en.gz --docs $WMT11/docs.tsv.gz $WMT11/systems/*.gz -o wmt11.json
$ truegain threshold -m bleu -m chrf --ref $WMT17/ref0.de.gz $WMT17/systems/*.gz -o wmt17.json
$ truegain threshold -m bleu -m chrf --ref $WMT23/references/zh-en.refA.txt.gz --docs $WMT23/documents/zh-en.docs.gz \\
    $WMT23/system-outputs/zh-en/[A-Z]*.gz -o wmt23.json
$ truegain threshold -m bleu:tokenize=none -m chrf --ref $POOL/test2016/ref.en.gz --group '^(\\w+-\\w+)' \\
    $POOL/test2016/*-*.gz -o pool.json
```

and of WMT23 en-de and the pool's coco2017. Every run of the pool counts as a system. A profile then answers

```text
$ truegain threshold --profile wmt11.json -m bleu --gain 0.4 --segments 2000
```

## Result

By predicted probability, all test sets and both metrics. A class is *within* if its mean prediction and the share of
its pairs that is significant differ by no more than 5 points and two standard errors; these come from draws of systems
with replacement, in each test set. Pairs by test set: {counts}.
"""

_GAPS = """\
How many points more pairs are significant than predicted, and the standard error. *Runs of one system*: pairs of runs
of the pool, each predicted from such pairs of the other runs (`--similar`). *Plain share*: the prediction is the share
of pairs whose standard error is small enough, whatever their gains. Every figure: {classes}.
"""

_CLOSING = """\
## What follows

- **A predicted probability can be read as one.** Over all pairs, under either metric and among runs of one system,
  about as many pairs are significant as was predicted: in the middle classes at most 9 points fewer, within two
  standard errors.
- **Most gains are not in doubt.** Of 31,466 pairs 30,503 are predicted with less than 20 or more than 80 %: the
  standard errors of a test set are much alike. For gains near the threshold a profile says that only outputs can tell.
- **Gains matter among unlike systems.** Systems far apart in quality have less in common, and a larger standard error.
  The plain share is then too low for small gains: in its middle classes more pairs are significant than it says.
- Most of the pairs are the pool's. The WMT systems have 45 pairs in the three middle classes, and standard errors of 16
  to 26 points there.
"""
