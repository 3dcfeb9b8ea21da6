"""Widths of texts by a table: figures are laid out alike on a page and in a file, and a page needs no fonts."""

from __future__ import annotations

import unicodedata
from functools import cache

# Hundredths of the size of letters, rounded, in DejaVu Sans: the font of files, and wider than most fonts of browsers.
_WIDTHS = {
    28: "'ijlìíîïĩīĭįıĵĺļłіїј",
    30: "IJÌÍÎÏĨĪĬĮİĴΙΪІЇЈ",
    32: " ,.·‘’‚",
    34: "/:;\\|¦ŀΐίιϊ",
    36: "f-‐‑",
    39: "()[]tţťŧľ",
    41: "!rŕŗřΊ¡²³¹‹›",
    50: '"*_`ªº§¨¯°´¸–†‡',
    53: "?szśŝşšźżžѕ“”„¿гзѓ",
    55: "cçćĉċčςсэєέεζ",
    59: "FLkvxyķĸĳĹĻĽĿŁýÿĲŷΓνξυχϋύΰγκλтвухчьў•",
    61: "PTYaoÞΡπτРкяќ«»ÝàáâãäåðòóôõöøāăąōŏőŢŤŦŶŸΤΥΫδθοόЃЎГТУао",
    63: "ESbdeghnpquèéêëēĕėęěÈÉÊËßñùúûüþďđĒĔĖĘĚĝğġģĥńņňŋŚŜŞŠũūŭůűųΕΞΣήηρσЀЁЅЕрбеѐёђ",
    65: "$0123456789{}¢£¤¥µ¶βμЗл√€ийнпћѝџ",
    68: "AKVĶΚάαφψÀÁÂÃÄÅĀĂĄΑΔΛАц∑",
    70: "BCRXZħŔŖŘŹŻŽΆΒΖΧБВХЧЬЯдÇĆĈĊČЄСЭЌКъ",
    73: "UÙÚÛÜŨŪŬŮŰŲ",
    77: "DGHNÑĤŃŅŇŊΈΗΝΠЍЏИЙЛНПмΩÐĎĐĜĞĠĢ",
    79: "&OQДЦÒÓÔÕÖØŌŎŐΘΟΦΨЂЋОы",
    84: "w#+<=>^~¬±×÷ŵΌΎΏωώю∞Ъ←↑→↓−≈≠≤≥",
    87: "MΜΉфМФЫ",
    95: "%Ħжљњшщ",
    100: "Wm@¼½¾ÆæŴ©®—…",
    103: "œ�",
    109: "ŒЊШЖЮЉЩ",
}
_IN_TABLE = {character: width for width, characters in _WIDTHS.items() for character in characters}
# Of characters that are not in the table: East Asian ones, pictures, those of scripts from right to left, all others.
_FULL, _PICTURE, _LEFTWARD, _OTHER = 105, 137, 70, 80


def width_of(text: str, size: float) -> float:
    """Return the inches that a line of text takes at most, in letters of that size (points)."""
    return sum(map(_width, text)) * size / 7200.0


@cache
def _width(character: str) -> int:
    if (known := _IN_TABLE.get(character)) is not None:
        return known
    kind = unicodedata.category(character)
    if kind in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return _PICTURE if kind[0] == "S" else _FULL
    return _LEFTWARD if unicodedata.bidirectional(character) in ("R", "AL") else _OTHER
