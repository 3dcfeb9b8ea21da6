"""Text for LaTeX: what is special is escaped, and what pdfLaTeX has no glyph for does not stop it."""

from __future__ import annotations

import re
import unicodedata

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "^": r"\textasciicircum{}",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "%": r"\%",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # at the start of a row it would be an option of the command that ended the row before
    "]": "{]}",
    "*": "{*}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "−": r"$-$",
    "–": "--",
    "—": "---",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "↔": r"$\leftrightarrow$",
    "⇒": r"$\Rightarrow$",
    "▸": r"$\triangleright$",
    "≤": r"$\leq$",
    "√": r"$\surd$",
    "≥": r"$\geq$",
    "≈": r"$\approx$",
    "≠": r"$\neq$",
    "∞": r"$\infty$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "·": r"$\cdot$",
    "…": r"\ldots{}",
    "\u00a0": "~",
    "\u202f": r"\,",
}


def _greek(letter: str) -> str:
    """Return ``$\\lambda$`` and the like; Unicode spells it LAMDA."""
    word = unicodedata.name(letter).split()[-1].lower().replace("lamda", "lambda")
    return f"$\\{word.capitalize() if letter.isupper() else word}$"


_ESCAPES |= {letter: _greek(letter) for letter in "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"}
# Two characters that the fonts would set as another one.
_LIGATURES = {"--", "''", ",,"}
# What pdfLaTeX can set in T1: Latin letters, and signs that texts have.
_MISSING = "ĦħĸĿŀŉŦŧ"
_KNOWN = {*map(chr, range(0xA1, 0x17F)), *"ȘșȚțẞ‘’‚“”„†‡•‰‹›€™№"} - {*_MISSING, "\u00ad"}
_COMMAND = r"\truegainchar{"


def escape(text: str) -> str:
    """Make a text safe to typeset."""
    typeset: list[str] = []
    unknown = ""
    previous = ""
    for character in (*unicodedata.normalize("NFC", text), ""):
        if character and not _is_known(character):
            unknown += character
            previous = character
            continue
        if unknown:
            points = " ".join(f"U+{ord(one):04X}" for one in unknown)
            typeset.append(f"{_COMMAND}{unknown}}}{{{points}}}")
            unknown = ""
        if previous + character in _LIGATURES:
            typeset.append("{}")
        typeset.append(_plain(character))
        previous = character
    return "".join(typeset)


def needs_unicode(typeset: str) -> bool:
    """Return whether there is a character that only XeLaTeX and LuaLaTeX can set."""
    return _COMMAND in typeset


def without_unicode(typeset: str) -> str:
    """Return the same with code points in place of those characters."""
    return re.sub(r"\\truegainchar\{[^}]*\}", r"\\texttt", typeset)


def width_of(text: str) -> float:
    """Return about how wide a text is when set, in ems."""
    return sum(
        3.2  # a code point
        if not _is_known(one)
        else 0.33
        if one in " .,:;|!'()[]-fijlrtI"
        else 0.85
        if one in "mwMW%+−±×Δ↑↓<>~^"
        else 0.72
        if one.isupper()
        else 0.51
        for one in text
    )


def _is_known(character: str) -> bool:
    return (
        character.isascii()
        or character in _ESCAPES
        or character in _KNOWN
        or character.isspace()
        or unicodedata.category(character) in ("Cc", "Cs")
    )


def _plain(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isspace():
        return " "
    return character if character.isprintable() else "?" if character else ""
