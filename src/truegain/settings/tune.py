"""The options of ``tune``."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from truegain.settings.groups import Jobs, Seed, Watching
from truegain.settings.option import Option, Options, of_objects
from truegain.settings.texts import names

Optimizer = Literal["mert", "pro", "mira"]


class _Lists(Options, kw_only=False, first=True):
    references: Annotated[
        Any,
        of_objects(
            "References of the development set: a sequence of segments, a sequence per reference, or files.",
            text="sequence of str, sequence of sequences, or path",
        ),
    ]
    nbest: Annotated[
        Any, of_objects("Files of the development set's hypotheses, with their features.", text="path or paths")
    ]


class TuneOptions(_Lists, Seed, Jobs, Watching):
    """The options of :func:`truegain.tune`."""

    apply: Annotated[
        Mapping[str, Any] | None,
        of_objects(
            "Further test sets by name, whose outputs are chosen by the tuned weights: files of hypotheses, or a pair "
            "of these and of references.",
            text="mapping of str to path, or to (path, references)",
        ),
    ] = None
    metric: Annotated[
        Any, Option("Metric to tune for.", flags=("--metric", "-m"), metavar="METRIC", text="str or Metric")
    ] = "bleu"
    optimizer: Annotated[
        Optimizer, Option("MERT (Och 2003), PRO (Hopkins and May 2011) or batch MIRA (Cherry and Foster 2012).")
    ] = "mert"
    runs: Annotated[int, Option("How often weights are tuned, each time with other random numbers.", least=1)] = 20
    restarts: Annotated[
        int | None, Option("Random starts of each run of mert, of which the best counts. Default: 20.", least=1)
    ] = None
    features: Annotated[
        Sequence[str], Option("Features to use. Default: all.", metavar="NAME,...", parse=names, text="sequence of str")
    ] = ()
    folder: Annotated[
        Any,
        of_objects(
            "Where weights and outputs are written: ``dev.run01.txt``, ``NAME.run01.txt``, ``weights.run01.json``.",
            "Runs that are there already, of the same inputs and options, are kept.",
            text="path, optional",
        ),
    ] = None
