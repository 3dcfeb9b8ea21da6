"""METEOR 1.5 (Denkowski and Lavie 2014): words matched by form, stem, synonym and paraphrase, and their order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache
from truegain.errors import InputError, Setting, Text, one_of
from truegain.metrics.base import References, segment_references, signature
from truegain.metrics.meteor_languages import LANGUAGES, Parameters, parameters_of
from truegain.metrics.meteor_resources import ENVIRONMENT, Resources, find_resources
from truegain.metrics.meteor_words import Lexicon
from truegain.metrics.pairs import first_least, require_hypotheses, require_references, segments_of
from truegain.notes import Note
from truegain.text.meteor_alignments import MATCHERS, Words, aligned_counts
from truegain.text.paraphrases import Occurrences, Paraphrases
from truegain.text.tokenizers import TOKENIZERS, split_into_words, tokenizer_signature
from truegain.text.words import Sequences

_TOKENIZERS = tuple(one for one in TOKENIZERS if one != "spm")
_ATTACHED = re.compile(r"[^\W\d_][.!?]$")  # a letter, and then what should stand apart
_MANY = 10  # lines, from which on a habit is more than a chance
_WORDS = re.compile(r"[^ \t\n\r\f]+")
_JAR = f"name METEOR's jar: {ENVIRONMENT}=…/meteor-1.5.jar, or "
_ELSE = ", or install pycocoevalcap, which has it"
_WHERE: Text = (_JAR, Setting("metrics", ("meteor:resources=…",)), _ELSE)


@dataclass(frozen=True)
class PreparedMeteor:
    """References as numbered words, with what is known of these; those of segment ``i`` begin at ``groups[i]``."""

    numbers: dict[str, int]
    sequences: Sequences
    words: Words
    groups: NDArray[np.int64]
    paraphrases: Paraphrases
    occurrences: Occurrences


@dataclass(frozen=True)
class METEOR:
    """METEOR as version 1.5 of its authors' program computes it, in percent.

    The words of hypothesis and reference are aligned; precision and recall of weighted matches make an F, which falls
    with the number of chunks that the matches are in. Of several references, a segment takes the one with the best
    score, the first of several. The score of a text is that of its summed statistics.

    Function words, synonyms and paraphrases are looked up in METEOR's own files, which are not part of this project;
    without them words match by form and stem, and all are content words.

    Parameters
    ----------
    lang : str
        en, cs, de, es, fr, ru; da, fi, hu, it, nl, no, pt, ro, sv, tr; other; universal.
    task : str
        What the parameters were tuned to: rank, adq, hter, li, tune.
    modules : str, optional
        The matchers, ``exact+stem+synonym+paraphrase``; by default those of the language whose files are there.
    lowercase : bool
        Lowercase everything first.
    tokenize : str
        none, for text whose words and marks are apart already, as METEOR takes it; 13a, intl or another of BLEU's for
        text as people write it. METEOR's own ``-norm`` splits differently in places.
    alpha, beta, gamma, delta : float, optional
        Instead of the parameters of the language.
    weights : str, optional
        Instead of the weights of the language, one for each matcher: ``1/0.6/0.8/0.6``.
    beam : int
        How many partial alignments are kept.
    resources : str, optional
        METEOR's jar or a folder with its files; by default ``$TRUEGAIN_METEOR``, or what pycocoevalcap brings.

    References
    ----------
    Denkowski and Lavie (2014). Meteor universal: language specific translation evaluation for any target language.
    WMT 2014.
    """

    lang: str = "en"
    task: str = "rank"
    modules: str | None = None
    lowercase: bool = False
    tokenize: str = "none"
    alpha: float | None = None
    beta: float | None = None
    gamma: float | None = None
    delta: float | None = None
    weights: str | None = None
    beam: int = 40
    resources: str | None = None

    name: ClassVar[str] = "meteor"
    label: ClassVar[str] = "METEOR"
    higher_is_better: ClassVar[bool] = True
    reads: ClassVar[Literal["text"]] = "text"
    by_segment: ClassVar[bool] = True
    limits: ClassVar[tuple[float, float]] = (0.0, 100.0)
    denominator: ClassVar[tuple[int, ...]] = (0, 1)

    def __post_init__(self) -> None:
        parameters_of(self.lang, self.task)
        if self.tokenize not in _TOKENIZERS:
            raise one_of("meteor:tokenize", self.tokenize, list(_TOKENIZERS))
        if not 1 <= self.beam <= 10_000:
            raise InputError(f"meteor:beam must be from 1 to 10,000; got {self.beam}")
        for name in ("alpha", "gamma", "delta"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 1:
                raise InputError(f"meteor:{name} must be from 0 to 1; got {value}")
        if self.beta is not None and not 0 <= self.beta < float("inf"):
            raise InputError(f"meteor:beta must be a number of at least 0; got {self.beta}")
        self._parameters  # noqa: B018  # what is wrong with modules, weights and resources is said at once

    @cached_property
    def _files(self) -> Resources:
        return find_resources(self.resources)

    @cached_property
    def _missing(self) -> tuple[str, ...]:
        """The matchers that lack their files."""
        language = LANGUAGES[self.lang]
        there = {
            "stem": language.stemmer is not None,
            "synonym": self._files.has(f"synonym/{language.name}.synsets"),
            "paraphrase": self._files.paraphrase_file(language.code) is not None,
        }
        return tuple(matcher for matcher, is_there in there.items() if not is_there)

    @cached_property
    def _matchers(self) -> tuple[str, ...]:
        if self.modules is None:
            return tuple(one for one in LANGUAGES[self.lang].matchers if one not in self._missing)
        wanted = tuple(one.strip() for one in self.modules.split("+"))
        for one in wanted:
            if one not in MATCHERS:
                raise one_of("a module of meteor", one, list(MATCHERS))
        if wanted != tuple(one for one in MATCHERS if one in wanted) or wanted[0] != "exact":
            raise InputError(
                f"meteor:modules must begin with exact and keep to this order: {'+'.join(MATCHERS)}; got {self.modules}"
            )
        for one in wanted:
            if one in self._missing:
                raise InputError(
                    f"METEOR has no {one} module for lang={self.lang}: its files are not there"
                    if one != "stem"
                    else f"METEOR has no stemmer for lang={self.lang}",
                    hint=None if one == "stem" else _WHERE,
                )
        return wanted

    @cached_property
    def _parameters(self) -> Parameters:
        usual = parameters_of(self.lang, self.task)
        count = len(self._matchers)
        weights = usual.weights[:count]  # by place and not by matcher, as METEOR has it
        if self.weights is not None:
            try:
                weights = tuple(float(one) for one in self.weights.split("/"))
            except ValueError as error:
                raise InputError(f"meteor:weights must be numbers, 1/0.6/0.8; got {self.weights!r}") from error
        if len(weights) != count:
            raise InputError(
                f"meteor has {count} modules ({'+'.join(self._matchers)}) and {len(weights)} weights",
                hint="give one weight per module: weights=1/0.6/0.8/0.6",
            )
        return Parameters(
            usual.alpha if self.alpha is None else self.alpha,
            usual.beta if self.beta is None else self.beta,
            usual.gamma if self.gamma is None else self.gamma,
            usual.delta if self.delta is None else self.delta,
            weights,
        )

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """Words, function words, matched content and function words of each module, chunks, matched words."""
        sides = ("hyp", "ref")
        return (
            "hyp_len",
            "ref_len",
            "hyp_function",
            "ref_function",
            *(
                f"{matcher}_{kind}_{side}"
                for matcher in self._matchers
                for kind in ("content", "function")
                for side in sides
            ),
            "chunks",
            "hyp_matched",
            "ref_matched",
        )

    def signature(self, references: int | str = 1) -> str:
        """Name the language, the modules, all parameters, and a hash of METEOR's files."""
        language, values = LANGUAGES[self.lang], self._parameters
        beam = {} if self.beam == 40 else {"beam": self.beam}
        return signature(
            nrefs=references,
            lang=self.lang,
            case="lc" if self.lowercase else "mixed",
            tok=tokenizer_signature(self.tokenize),
            mod="+".join(self._matchers),
            w="/".join(f"{one:g}" for one in values.weights),
            abgd="/".join(f"{one:g}" for one in (values.alpha, values.beta, values.gamma, values.delta)),
            files=self._files.digest(language.name, language.code, self._matchers),
            **beam,
            meteor="1.5",
        )

    def advice(self, outputs: Sequence[str], name: str) -> list[Note]:
        """Say that the text seems not to be split, and what was left out because METEOR's files are missing."""
        return [*self._unsplit(outputs, name), *self._without(name)]

    def _unsplit(self, outputs: Sequence[str], name: str) -> list[Note]:
        attached = sum(_ATTACHED.search(line[-3:]) is not None for line in outputs)  # whole lines take long
        if self.tokenize != "none" or attached < max(_MANY, len(outputs) // 2):
            return []
        text = (
            f"{attached:,} lines end in a word with its full stop, and METEOR takes what stands between blanks for "
            "words: give tokenised text, or tokenize=13a"
        )
        return [Note("untokenised-text", text, file=name)]

    def _without(self, name: str) -> list[Note]:
        lacking = [
            {"synonym": "synonyms", "paraphrase": "paraphrases"}[one]
            for one in LANGUAGES[self.lang].matchers
            if self.modules is None and one in self._missing and one != "stem"
        ]
        if self._files.function_words(LANGUAGES[self.lang].name) is None:
            lacking.append("function words")
        if not lacking:
            return []
        text = (
            f"METEOR went without {' and '.join(lacking)}, whose files are not there, so its scores are not those of "
            f"METEOR 1.5; {_JAR}meteor:resources=…{_ELSE}"
        )
        return [Note("meteor-files", text, file=name)]

    def keep_files(self, cache: Cache | None) -> None:
        """Keep the table of paraphrases there as it was read, which takes seconds."""
        self.__dict__["_files"] = replace(self._files, kept=cache)

    def prepare(self, references: References) -> PreparedMeteor:
        """Look up the words of the references, and read the paraphrases that they can have."""
        lines, groups = segment_references(references)
        require_references(groups)
        numbers: dict[str, int] = {}
        sequences = self._numbered(lines, numbers)
        words = self._lexicon().known(list(numbers))
        table = self._files.paraphrases(LANGUAGES[self.lang].code) if "paraphrase" in self._matchers else None
        paraphrases = Paraphrases.none() if table is None else table.of(sequences, words.prints)
        return PreparedMeteor(numbers, sequences, words, groups, paraphrases, paraphrases.find(sequences, words.prints))

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedMeteor) -> NDArray[np.int64]:
        """Return counts of each segment, against the reference that gives the segment the best score."""
        prepared = references if isinstance(references, PreparedMeteor) else self.prepare(references)
        require_hypotheses(hypotheses, prepared.groups.size - 1)
        numbers = dict(prepared.numbers)
        said = self._numbered(hypotheses, numbers)
        words = prepared.words.and_then(self._lexicon().known(list(numbers)[len(prepared.numbers) :]))
        counts = aligned_counts(
            said,
            prepared.sequences,
            segments_of(prepared.groups),
            words,
            self._matchers,
            prepared.paraphrases,
            (prepared.paraphrases.find(said, words.prints), prepared.occurrences),
            self.beam,
        )
        # A segment that matches word for word, in order, is not fragmented at all: its one chunk does not count.
        counts[(counts[:, 0] == counts[:, -2]) & (counts[:, 1] == counts[:, -1]) & (counts[:, -3] == 1), -3] = 0
        return counts[first_least(-self.score(counts.astype(np.float64)), prepared.groups)]

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return METEOR of summed statistics (..., 7 + 4 · modules), from 0 to 100."""
        totals = np.asarray(totals, np.float64)
        values = self._parameters
        shares = [self._share(totals, side) for side in range(2)]
        chunks, *matched = (totals[..., -3 + i] for i in range(3))
        mean = (matched[0] + matched[1]) / 2
        fragmentation = np.divide(chunks, mean, out=np.zeros_like(mean), where=mean > 0)
        penalty = np.where(fragmentation > 0, values.gamma * fragmentation**values.beta, 0.0)
        bottom = values.alpha * shares[0] + (1 - values.alpha) * shares[1]
        f = np.divide(shares[0] * shares[1], bottom, out=np.zeros_like(bottom), where=bottom > 0)
        return np.asarray(100.0 * (f * (1.0 - penalty)))

    def slopes(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives of :meth:`score`; not a number where nothing matches."""
        values = self._parameters
        found = np.zeros(np.shape(totals))
        shares = [self._share(totals, side) for side in range(2)]
        bottom = values.alpha * shares[0] + (1 - values.alpha) * shares[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            f = shares[0] * shares[1] / bottom
            chunks, matched = totals[..., -3], totals[..., -2] + totals[..., -1]
            penalty = values.gamma * (2.0 * chunks / matched) ** values.beta
            found[..., -3] = -100.0 * f * penalty * values.beta / chunks
            found[..., -2:] = (100.0 * f * penalty * values.beta / matched)[..., None]
            for side, weight in enumerate((1 - values.alpha, values.alpha)):
                function = totals[..., 2 + side]
                words = values.delta * (totals[..., side] - function) + (1 - values.delta) * function
                each = 100.0 * (1.0 - penalty) * weight * (shares[1 - side] / bottom) ** 2 / words
                found[..., side] = -each * shares[side] * values.delta
                found[..., 2 + side] = -each * shares[side] * (1 - 2 * values.delta)
                for stage, counted in enumerate(values.weights):
                    for kind, part in enumerate((values.delta, 1 - values.delta)):
                        found[..., 4 + 4 * stage + 2 * kind + side] = each * counted * part
        return np.where((chunks > 0)[..., None], found, np.nan)

    def _share(self, totals: NDArray[np.float64], side: int) -> NDArray[np.float64]:
        """Return precision (side 0) or recall: weighted matches over weighted words."""
        values = self._parameters
        function = totals[..., 2 + side]
        words = values.delta * (totals[..., side] - function) + (1 - values.delta) * function
        matches = np.zeros_like(words)
        for stage, weight in enumerate(values.weights):
            content, filling = (totals[..., 4 + 4 * stage + 2 * kind + side] for kind in range(2))
            matches += weight * (values.delta * content + (1 - values.delta) * filling)
        return np.divide(matches, words, out=np.zeros_like(words), where=words > 0)

    def _lexicon(self) -> Lexicon:
        language = LANGUAGES[self.lang]
        return Lexicon(
            language.stemmer if "stem" in self._matchers else None,
            self._files.synsets(language.name) if "synonym" in self._matchers else None,
            self._files.function_words(language.name) or frozenset(),
        )

    def _numbered(self, lines: Sequence[str], numbers: dict[str, int]) -> Sequences:
        """Assign numbers to the words of lines, which blanks, tabs, returns and form feeds separate, as in METEOR."""
        offsets = np.zeros(len(lines) + 1, np.int64)
        symbols: list[int] = []
        cased = [line.lower() if self.lowercase else line for line in lines]
        split: Iterable[list[str]] = (
            map(_WORDS.findall, cased) if self.tokenize == "none" else split_into_words(cased, self.tokenize).texts()
        )
        for i, words in enumerate(split):
            symbols += [numbers.setdefault(word, len(numbers)) for word in words]
            offsets[i + 1] = len(symbols)
        return Sequences(np.array(symbols, np.int32), offsets)
