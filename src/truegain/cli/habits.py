"""Options of sacreBLEU, and others that people try, that have another form here, to say which."""

from __future__ import annotations

import click

_OUTPUTS = "outputs are given without an option, references with --ref"
_TOKENIZE, _LOWERCASE = "write -m bleu:tokenize=NAME", "write -m bleu:lowercase=true"

#: What to write for an option. Of short ones click names the first letter: -tok is -t to it, and -lc is -l.
_OURS = {
    "--tokenize": _TOKENIZE,
    "--tok": _TOKENIZE,
    "-t": f"For sacreBLEU's -tok {_TOKENIZE}; a test set (-t) is given as files",
    "--lowercase": _LOWERCASE,
    "-l": f"For sacreBLEU's -lc {_LOWERCASE}",
    "--smooth-method": "write -m bleu:smooth_method=NAME",
    "--smooth-value": "write -m bleu:smooth_value=NUMBER",
    "--chrf-word-order": "write -m chrf:word_order=2",
    "--paired-ar": "write truegain compare --test ar (the default), or --test sacrebleu-ar",
    "--paired-bs": "write truegain compare --test bootstrap, or --test sacrebleu-bs",
    "--paired-ar-n": "write -R NUMBER",
    "--paired-bs-n": "write -R NUMBER",
    "--all-pairs": "write --family all; truegain rank ranks all systems",
    "--input": _OUTPUTS,
    "-i": _OUTPUTS,
    "-b": "write --score-only",
    "--confidence": "intervals are always shown",
    "--scorers": "score with your program, and give its scores by -m scores",
    "--force": "text that looks tokenised is scored, with a note",
}


def with_our_form(error: click.ClickException) -> click.ClickException:
    """Return the error with what to write instead, if the option is known."""
    if not isinstance(error, click.NoSuchOption) or error.option_name not in _OURS:
        return error
    ours = _OURS[error.option_name]
    return click.NoSuchOption(error.option_name, f"{error.message} {ours[0].upper()}{ours[1:]}.", ctx=error.ctx)
