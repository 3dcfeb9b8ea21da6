"""The tokenisers of sacreBLEU by their names there: 13a and none in compiled code, the others are sacreBLEU's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from truegain.errors import InputError, Setting, one_of
from truegain.file_roles import reads
from truegain.text.words import CodePoints, Spans, split_13a, split_blanks

TOKENIZERS = ("13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab", "spm")

_CLASSES = {
    "intl": ("tokenizer_intl", "TokenizerV14International"),
    "zh": ("tokenizer_zh", "TokenizerZh"),
    "char": ("tokenizer_char", "TokenizerChar"),
    "ja-mecab": ("tokenizer_ja_mecab", "TokenizerJaMecab"),
    "ko-mecab": ("tokenizer_ko_mecab", "TokenizerKoMecab"),
}
_EXTRAS = {"ja-mecab": "ja", "ko-mecab": "ko", "spm": "spm"}


def split_into_words(lines: Sequence[str], name: str, model: str | None = None) -> Spans:
    """Tokenise every line and give the words as spans of code points.

    Parameters
    ----------
    lines : sequence of str
        The lines, lowercased already if that is wanted.
    name : str
        One of :data:`TOKENIZERS`.
    model : str, optional
        The sentencepiece model file, for ``spm``.
    """
    if name == "13a":
        return split_13a(
            CodePoints.of([_clean(line) if "&" in line or "<" in line or "\n" in line else line for line in lines])
        )
    if name == "none":
        return split_blanks(CodePoints.of(lines))
    tokenizer = _tokenizer(name, model)
    return split_blanks(CodePoints.of([tokenizer(line.rstrip()) for line in lines]))


def tokenizer_signature(name: str, model: str | None = None) -> str:
    """Return what follows ``tok:`` in a signature, with versions of dictionaries and models."""
    if name not in TOKENIZERS:
        raise one_of("tokenize", name, list(TOKENIZERS))
    if name == "spm":
        return f"spm-{_model_digest(_model_path(model))}"
    if name in _EXTRAS:
        return str(_instance(name).signature())
    return name


def _clean(line: str) -> str:
    """Clean a line as mteval-v13a does before it splits it."""
    line = line.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        line = line.replace(entity, character)
    return line


def _tokenizer(name: str, model: str | None) -> Callable[[str], str]:
    if name == "spm":
        return _sentencepiece(_model_path(model))
    return _instance(name)  # type: ignore[no-any-return]


@cache
def _instance(name: str):  # type: ignore[no-untyped-def]
    from importlib import import_module

    module, attribute = _CLASSES[name]
    try:
        return getattr(import_module(f"sacrebleu.tokenizers.{module}"), attribute)()
    except RuntimeError as error:  # sacreBLEU's word for a missing dictionary package
        raise _missing_extra(name) from error


def _missing_extra(name: str) -> InputError:
    extra = _EXTRAS[name]
    return InputError(
        f"the tokeniser {name!r} needs packages that are not installed", hint=f"pip install 'truegain[{extra}]'"
    )


def _model_path(model: str | None) -> str:
    if model is None:
        raise InputError(
            "the tokeniser 'spm' needs a sentencepiece model file",
            hint=("give it: ", Setting("metrics", ("bleu:tokenize=spm,model=PATH",)), " (nothing is downloaded)"),
        )
    return model


@cache
def _sentencepiece(model: str) -> Callable[[str], str]:
    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError as error:
        raise _missing_extra("spm") from error
    try:
        processor = SentencePieceProcessor(model_file=model)
    except (OSError, RuntimeError) as error:
        raise InputError(f"not a sentencepiece model: {error}", path=model) from error
    return lambda line: " ".join(processor.EncodeAsPieces(line))


@cache
def _model_digest(model: str) -> str:
    import hashlib

    reads(model)
    try:
        return hashlib.sha256(Path(model).read_bytes()).hexdigest()[:8]
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=model) from error
