"""The options of ``inspect``."""

from collections.abc import Sequence
from os import PathLike
from typing import Annotated, Literal

from truegain.settings.groups import Computing, Development, Inputs, Labels, Metrics
from truegain.settings.option import Option
from truegain.settings.texts import whole_numbers

Records = Literal["segments", "documents", "lengths", "words", "ngrams"]
#: How texts can be split for lengths, words and n-grams.
Tokenizer = Literal["13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab"]


class InspectOptions(Inputs, Labels, Development, Metrics, Computing):
    """The options of :func:`truegain.inspect`."""

    baseline: Annotated[
        str | None, Option("System to compare with. Default: the first.", flags=("--baseline", "-b"), metavar="NAME")
    ] = None
    system: Annotated[
        str | None,
        Option("System to compare. Default: the other one of two.", flags=("--system", "-s"), metavar="NAME"),
    ] = None
    count: Annotated[
        int, Option("Number of segments and documents to list, each way.", flags=("--count", "-n"), least=0)
    ] = 5
    ngrams: Annotated[int, Option("Number of n-grams to list, each way.", least=0)] = 10
    tokenize: Annotated[
        Tokenizer,
        Option("Tokenizer for lengths, words and n-grams; none: white space. Metrics have their own settings."),
    ] = "13a"
    length_buckets: Annotated[
        Sequence[int],
        Option(
            "Lower bounds of the buckets of reference lengths.",
            metavar="N,N,...",
            parse=whole_numbers("10,20,30"),
            text="sequence of int",
        ),
    ] = (10, 20, 30, 40, 50, 60)
    frequencies: Annotated[
        str | PathLike[str] | Sequence[str] | None,
        Option(
            "Text (for example training data) to count word frequencies in. Default: the references.",
            metavar="FILE",
            text="path or lines, optional",
        ),
    ] = None
    everything: Annotated[
        bool, Option("Write every segment to csv and json, not only those listed.", flags=("--all",))
    ] = False
    records: Annotated[
        Records, Option("What a row of csv is about.", "This is what ``to_records`` of the result gives.")
    ] = "segments"
