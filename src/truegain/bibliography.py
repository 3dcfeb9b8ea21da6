"""Citations: the entries of a bibliography that metrics, tests and methods stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from truegain.version import __version__

#: The entries that a metric calls for.
METRICS: dict[str, tuple[str, ...]] = {
    "bleu": ("papineni2002bleu", "post2018call"),
    "nist": ("doddington2002automatic",),
    "chrf": ("popovic2015chrf", "popovic2017chrfpp"),
    "ter": ("snover2006study",),
    "meteor": ("denkowski2014meteor", "denkowski2011meteor"),
    "per": ("tillmann1997accelerated",),
    "length": ("clark2011better",),
    "rouge1": ("lin2004rouge",),
    "rouge2": ("lin2004rouge",),
    "rougel": ("lin2004rouge",),
    "rougelsum": ("lin2004rouge",),
    "rouge": ("lin2004rouge",),
    "exact": ("rajpurkar2016squad",),
    "squad_f1": ("rajpurkar2016squad",),
    "unigram": ("melamed2003precision",),
    "uas": ("zeman2018conll",),
    "las": ("zeman2018conll",),
    "parseval": ("black1991procedure",),
    "aer": ("och2003systematic",),
    "alignment": ("fraser2007measuring",),
    "span_f1": ("tjongkimsang2003introduction",),
    "mqm": ("freitag2021experts",),
    "pass": ("chen2021evaluating",),
    "majority": ("wang2023selfconsistency",),
    "comet": ("rei2022comet22",),
    "cometkiwi": ("rei2022cometkiwi",),
    "xcomet": ("guerreiro2024xcomet",),
}
#: The entries that tests and other methods call for.
METHODS: dict[str, tuple[str, ...]] = {
    "crossed": ("satterthwaite1946approximate",),
    "raters": ("cameron2011robust", "satterthwaite1946approximate"),
    "ar": ("noreen1989computer", "riezler2005pitfalls"),
    "bootstrap": ("koehn2004statistical", "efron1993introduction"),
    "skew-t": ("student1908probable", "johnson1978modified"),
    "exact": ("fisher1935design", "pagano1983obtaining", "zmigrod2022exact"),
    "stationary-bootstrap": (
        "politis1994stationary",
        "politis2004automatic",
        "patton2009correction",
        "okita_statistical",
    ),
    "run-permutation": ("fisher1935design",),
    "welch": ("welch1947generalization",),
    "t": ("student1908probable",),
    "wilcoxon": ("wilcoxon1945individual",),
    "sign": ("dixon1946statistical",),
    "mcnemar": ("mcnemar1947note",),
    "tango": ("tango1998equivalence", "wilson1927probable"),
    "koehn2004": ("koehn2004statistical",),
    "riezler2005-ar": ("riezler2005pitfalls",),
    "riezler2005-bootstrap": ("riezler2005pitfalls", "okita_statistical"),
    "bergkirkpatrick2012": ("bergkirkpatrick2012empirical",),
    "clark2011": ("clark2011better",),
    "fu-bootstrap": ("fu_document",),
    "fu-ar": ("fu_document",),
    "fu-rows-bootstrap": ("fu_document",),
    "fu-rows-ar": ("fu_document",),
    "multeval-ar": ("clark2011better",),
    "sacrebleu-bs": ("post2018call",),
    "sacrebleu-ar": ("post2018call",),
    "moses-bs": ("koehn2004statistical",),
    "holm": ("holm1979simple",),
    "hochberg": ("hochberg1988sharper",),
    "bh": ("benjamini1995controlling",),
    "by": ("benjamini2001control",),
    "maxt": ("westfall1993resampling",),
    "bca": ("efron1987better",),
    "sequential": ("gandy2009sequential", "fischer2024sequential"),
    "plan": ("card2020little",),
    "mert": ("och2003minimum",),
    "pro": ("hopkins2011tuning",),
    "mira": ("cherry2012batch",),
    "accuracy": ("kocmi2021ship",),
    "spa": ("thompson2024improving",),
    "acc23": ("deutsch2023ties",),
    "kendall": ("kendall1945treatment",),
    "perm-sys": ("deutsch2021statistical",),
    "perm-both": ("deutsch2021statistical",),
    "intervals": ("fu_document",),
    "domains": ("bergkirkpatrick2012empirical",),
    "threshold": ("bergkirkpatrick2012empirical",),
    "pool": ("dror2017replicability", "benjamini2008screening", "holm1979simple"),
    "runs": ("clark2011better",),
    "truegain": ("truegain",),
}


@cache
def entries() -> dict[str, str]:
    """Return the bibliography by key, in the order of the file."""
    text = Path(__file__).with_name("references.bib").read_text("utf-8").replace("VERSION", __version__)
    return {match[1]: match[0] for match in re.finditer(r"^@\w+\{(\w+),\n.*?^\}$", text, re.DOTALL | re.MULTILINE)}


def bibtex(metrics: Iterable[str], methods: Iterable[str]) -> str:
    """Return entries for what was used, each once, in the bibliography's order; names without an entry give none."""
    wanted = {key for name in metrics for key in METRICS.get(name, ())}
    wanted |= {key for name in methods for key in METHODS.get(name, ())}
    return "\n\n".join(entry for key, entry in entries().items() if key in wanted)
