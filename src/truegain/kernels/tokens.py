"""Words as spans of code points: where they begin and end, and which of them are the same word.

The four substitutions of the mteval-v13a tokeniser only insert blanks, so every token is a contiguous span of the line.
They are applied here in one pass over the characters. With ``.`` standing for a full stop or a comma:

* a *symbol* (a character of that class, see :mod:`truegain.text.words`) is a word of its own;
* "``.`` after a non-digit": the pattern consumes the character before the stop, so of two adjacent stops the second is
  free only if the first was not itself matched (``after_other`` below);
* "``.`` before a non-digit": after the previous rule two stops never touch, so nothing more is consumed;
* a hyphen directly after a digit is a word of its own.
"""

import cython


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _close(
    starts: cython.longlong[::1],
    ends: cython.longlong[::1],
    count: cython.Py_ssize_t,
    begin: cython.longlong,
    end: cython.longlong,
) -> cython.Py_ssize_t:
    """End a word, if there is one between two blanks; return the number of words."""
    if end > begin:
        starts[count] = begin
        ends[count] = end
        count += 1
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _kind(classes: cython.const[cython.uchar][::1], code: cython.uint) -> cython.uchar:
    """Give the class bits of a code point; those beyond the table have none."""
    return classes[code] if code < cython.cast(cython.uint, classes.shape[0]) else 0


@cython.ccall
def split_13a(
    text: cython.const[cython.uint][::1],
    bounds: cython.const[cython.longlong][::1],
    classes: cython.const[cython.uchar][::1],
    starts: cython.longlong[::1],
    ends: cython.longlong[::1],
    offsets: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Split line ``i``, ``text[bounds[i]:bounds[i + 1] - 1]``, as mteval-v13a does; give the number of tokens.

    ``classes`` maps code points below its size to bits: 1 blank, 2 symbol, 4 digit, 8 full stop or comma, 16 hyphen.
    Tokens of line ``i`` are ``offsets[i]`` to ``offsets[i + 1]`` of ``starts`` and ``ends``.
    """
    lines: cython.Py_ssize_t = bounds.shape[0] - 1
    count: cython.Py_ssize_t = 0
    line: cython.Py_ssize_t
    position: cython.longlong
    last: cython.longlong
    begin: cython.longlong
    kind: cython.uchar
    previous: cython.uchar
    following: cython.uchar
    alone: cython.bint
    after_other: cython.bint
    previous_matched: cython.bint
    with cython.nogil:
        for line in range(lines):
            offsets[line] = count
            begin = bounds[line]
            last = bounds[line + 1] - 1
            previous = 1  # the line stands between two blanks that the tokeniser adds
            previous_matched = False
            for position in range(bounds[line], last):
                kind = _kind(classes, text[position])
                after_other = False
                if kind != 0:
                    alone = kind & 2 != 0 or (kind & 16 != 0 and previous & 4 != 0)
                    if kind & 8:
                        after_other = previous & 4 == 0 and not previous_matched
                        following = _kind(classes, text[position + 1]) if position + 1 < last else 0
                        alone = after_other or following & 4 == 0
                    if alone or kind & 1:
                        count = _close(starts, ends, count, begin, position)
                        begin = position + 1
                    if alone:
                        count = _close(starts, ends, count, position, position + 1)
                previous = kind
                previous_matched = after_other
            count = _close(starts, ends, count, begin, last)
        offsets[lines] = count
    return count


@cython.ccall
def split_blanks(
    text: cython.const[cython.uint][::1],
    bounds: cython.const[cython.longlong][::1],
    classes: cython.const[cython.uchar][::1],
    detach: cython.bint,
    starts: cython.longlong[::1],
    ends: cython.longlong[::1],
    offsets: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Split at white space, as ``str.split()`` does; with ``detach``, also one punctuation mark off each word.

    The mark is the last character of the word if that is punctuation (class bit 32), else the first: chrF++'s words.
    """
    lines: cython.Py_ssize_t = bounds.shape[0] - 1
    count: cython.Py_ssize_t = 0
    line: cython.Py_ssize_t
    position: cython.longlong
    last: cython.longlong
    begin: cython.longlong
    with cython.nogil:
        for line in range(lines):
            offsets[line] = count
            begin = bounds[line]
            last = bounds[line + 1] - 1
            for position in range(bounds[line], last + 1):
                if position < last and _kind(classes, text[position]) & 1 == 0:
                    continue
                if detach and position - begin > 1:
                    if _kind(classes, text[position - 1]) & 32:
                        count = _close(starts, ends, count, begin, position - 1)
                        begin = position - 1
                    elif _kind(classes, text[begin]) & 32:
                        count = _close(starts, ends, count, begin, begin + 1)
                        begin = begin + 1
                count = _close(starts, ends, count, begin, position)
                begin = position + 1
        offsets[lines] = count
    return count


@cython.ccall
def squeeze(
    text: cython.const[cython.uint][::1],
    bounds: cython.const[cython.longlong][::1],
    classes: cython.const[cython.uchar][::1],
    symbols: cython.int[::1],
    offsets: cython.longlong[::1],
    keep_blanks: cython.bint,
) -> cython.Py_ssize_t:
    """Copy the code points of each line without white space (or with it); give how many there are."""
    lines: cython.Py_ssize_t = bounds.shape[0] - 1
    count: cython.Py_ssize_t = 0
    line: cython.Py_ssize_t
    position: cython.longlong
    with cython.nogil:
        for line in range(lines):
            offsets[line] = count
            for position in range(bounds[line], bounds[line + 1] - 1):
                symbols[count] = cython.cast(cython.int, text[position])
                count += keep_blanks or _kind(classes, text[position]) & 1 == 0  # else the next takes its place
        offsets[lines] = count
    return count


@cython.ccall
def intern(
    text: cython.const[cython.uint][::1],
    starts: cython.longlong[::1],
    ends: cython.longlong[::1],
    known_text: cython.const[cython.uint][::1],
    known_starts: cython.longlong[::1],
    known_ends: cython.longlong[::1],
    slots: cython.int[::1],
    size: cython.Py_ssize_t,
    grow: cython.bint,
    symbols: cython.int[::1],
) -> cython.Py_ssize_t:
    """Assign numbers to words: equal spans get equal numbers, by comparing the characters, not only a hash.

    ``slots`` is an open-addressing table (a power of two, -1 for empty) of word numbers; the span of word ``w`` is
    ``known_starts[w]`` to ``known_ends[w]`` of ``known_text``. With ``grow``, new words are added (then ``text`` and
    ``known_text`` are the same); otherwise a word that is not known gets -1. Return the number of words known.
    """
    tokens: cython.Py_ssize_t = starts.shape[0]
    mask: cython.ulonglong = cython.cast(cython.ulonglong, slots.shape[0] - 1)
    word: cython.Py_ssize_t
    token: cython.Py_ssize_t
    length: cython.longlong
    begin: cython.longlong
    other: cython.longlong
    k: cython.longlong
    place: cython.ulonglong
    code: cython.ulonglong
    factor: cython.ulonglong = 0x9FB21C651E98DF25
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    with cython.nogil:
        for token in range(tokens):
            begin = starts[token]
            length = ends[token] - begin
            code = 0
            for k in range(length):
                code = ((code ^ text[begin + k]) * factor) & whole
                code ^= code >> 32
            place = code & mask
            while True:
                word = slots[place]
                if word < 0:
                    if grow:
                        known_starts[size] = begin
                        known_ends[size] = begin + length
                        slots[place] = cython.cast(cython.int, size)
                        word = size
                        size += 1
                    break
                other = known_starts[word]
                if known_ends[word] - other == length:
                    k = 0
                    while k < length and text[begin + k] == known_text[other + k]:
                        k += 1
                    if k == length:
                        break
                place = (place + 1) & mask
            symbols[token] = cython.cast(cython.int, word)
    return size
