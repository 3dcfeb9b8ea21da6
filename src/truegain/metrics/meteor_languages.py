"""METEOR's parameters by language and task, as version 1.5 has them (Denkowski and Lavie 2014)."""

from __future__ import annotations

from dataclasses import dataclass

from truegain.errors import InputError, one_of


@dataclass(frozen=True)
class Parameters:
    """Weights: of recall (α), of fragmentation (β its shape, γ its share), of content words (δ), of the matchers."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


@dataclass(frozen=True)
class Language:
    """A language: its names in METEOR's files, its stemmer, its matchers, its parameters for ranking systems."""

    name: str
    code: str
    stemmer: str | None
    matchers: tuple[str, ...]
    rank: Parameters


_INDEPENDENT = Parameters(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5))
_TUNING = Parameters(0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5))
_WITH_PARAPHRASES = ("exact", "stem", "paraphrase")

LANGUAGES = {
    "en": Language(
        "english",
        "en",
        "english",
        ("exact", "stem", "synonym", "paraphrase"),
        Parameters(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6)),
    ),
    "cs": Language("czech", "cz", None, ("exact", "paraphrase"), Parameters(0.95, 0.2, 0.6, 0.8, (1.0, 0.4))),
    "de": Language("german", "de", "german", _WITH_PARAPHRASES, Parameters(0.95, 1.0, 0.55, 0.55, (1.0, 0.8, 0.2))),
    "es": Language("spanish", "es", "spanish", _WITH_PARAPHRASES, Parameters(0.65, 1.3, 0.5, 0.8, (1.0, 0.8, 0.6))),
    "fr": Language("french", "fr", "french", _WITH_PARAPHRASES, Parameters(0.9, 1.4, 0.6, 0.65, (1.0, 0.2, 0.4))),
    "ru": Language("russian", "ru", "russian", _WITH_PARAPHRASES, _INDEPENDENT),
    **{
        code: Language(name, code, name, ("exact", "stem"), _INDEPENDENT)
        for code, name in {
            "da": "danish",
            "fi": "finnish",
            "hu": "hungarian",
            "it": "italian",
            "nl": "dutch",
            "no": "norwegian",
            "pt": "portuguese",
            "ro": "romanian",
            "sv": "swedish",
            "tr": "turkish",
        }.items()
    },
    "other": Language("other", "other", None, ("exact",), _INDEPENDENT),
    "universal": Language(
        "universal", "universal", None, ("exact", "paraphrase"), Parameters(0.7, 1.4, 0.3, 0.7, (1.0, 0.6))
    ),
}

#: What parameters were tuned to: ranks, judgements of adequacy, HTER, no language in particular, tuning of systems.
TASKS = ("rank", "adq", "hter", "li", "tune")
_ENGLISH = {
    "adq": Parameters(0.75, 1.4, 0.45, 0.7, (1.0, 1.0, 0.6, 0.8)),
    "hter": Parameters(0.4, 1.5, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8)),
}


def parameters_of(lang: str, task: str) -> Parameters:
    """Return the parameters of a language for a task."""
    if lang not in LANGUAGES:
        raise one_of("meteor:lang", lang, list(LANGUAGES))
    if task not in TASKS:
        raise one_of("meteor:task", task, list(TASKS))
    if task == "rank" or lang in ("other", "universal"):
        return LANGUAGES[lang].rank
    if task in _ENGLISH:
        if lang != "en":
            raise InputError(
                f"meteor:task={task} has parameters for English only; got lang={lang}",
                hint="task=rank has parameters for every language",
            )
        return _ENGLISH[task]
    return _INDEPENDENT if task == "li" else _TUNING
