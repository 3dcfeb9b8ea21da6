"""Phrases of a paraphrase table in the words of texts, by 64-bit fingerprints.

A word's fingerprint is made of its UTF-8 bytes, a phrase's of the fingerprints of its words: so the phrases of the
table, of which there are millions, are never taken apart into strings.
"""

import cython


@cython.ccall
def fingerprints(
    text: cython.const[cython.uchar][::1], ends: cython.const[cython.longlong][::1], found: cython.ulonglong[::1]
) -> cython.void:
    """Compute fingerprints of words laid end to end; word ``i`` ends before ``ends[i]``."""
    i: cython.Py_ssize_t
    place: cython.longlong = 0
    value: cython.ulonglong
    prime: cython.ulonglong = 0x100000001B3
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    with cython.nogil:
        for i in range(ends.shape[0]):
            value = 0xCBF29CE484222325
            while place < ends[i]:
                value = ((value ^ text[place]) * prime) & whole
                place += 1
            found[i] = value


@cython.ccall
def java_hashes(
    text: cython.const[cython.ushort][::1], ends: cython.const[cython.longlong][::1], found: cython.uint[::1]
) -> cython.void:
    """Compute the hashes that Java has for words of UTF-16 laid end to end; word ``i`` ends before ``ends[i]``."""
    i: cython.Py_ssize_t
    place: cython.longlong = 0
    value: cython.uint
    factor: cython.uint = 31
    whole: cython.uint = 0xFFFFFFFF
    with cython.nogil:
        for i in range(ends.shape[0]):
            value = 0
            while place < ends[i]:
                value = (factor * value + text[place]) & whole
                place += 1
            found[i] = value


@cython.ccall
def entries(
    text: cython.const[cython.uchar][::1], pairs: cython.ulonglong[:, ::1], counts: cython.longlong[::1]
) -> cython.void:
    """Read whole entries of a table: one line each for probability, phrase and paraphrase.

    ``pairs`` gets the fingerprints of both phrases, and must have space for one entry per six bytes. ``counts`` are the
    entries, their bytes, and the most words of a phrase.
    """
    size: cython.Py_ssize_t = text.shape[0]
    place: cython.Py_ssize_t = 0
    line: cython.Py_ssize_t = 0
    read: cython.Py_ssize_t = 0
    done: cython.Py_ssize_t = 0
    words: cython.longlong = 0
    most: cython.longlong = counts[2]
    word: cython.ulonglong = 0xCBF29CE484222325
    phrase: cython.ulonglong = 0
    letters: cython.bint = False
    byte: cython.uchar
    prime: cython.ulonglong = 0x100000001B3
    mixer: cython.ulonglong = 0x9E3779B97F4A7C15
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    with cython.nogil:
        for place in range(size):
            byte = text[place]
            if line == 0:
                if byte == 10:
                    line = 1
                continue
            if byte != 32 and byte != 10 and byte != 13:
                word = ((word ^ byte) * prime) & whole
                letters = True
                continue
            if letters:
                phrase = ((phrase ^ word) * mixer) & whole
                phrase ^= phrase >> 29
                words += 1
                word = 0xCBF29CE484222325
                letters = False
            if byte != 10:
                continue
            if words > most:
                most = words
            pairs[read, line - 1] = phrase
            if line == 1:
                line = 2
            else:
                read += 1
                line = 0
                done = place + 1
            phrase = 0
            words = 0
    counts[0] = read
    counts[1] = done
    counts[2] = most


@cython.ccall
def wanted(
    firsts: cython.const[cython.ulonglong][::1],
    ends: cython.const[cython.longlong][::1],
    seconds: cython.const[cython.ulonglong][::1],
    slots: cython.const[cython.ulonglong][::1],
    pairs: cython.ulonglong[:, ::1],
    sides: cython.uchar[::1],
) -> cython.Py_ssize_t:
    """Keep the entries of which either phrase is among ``slots``, a hash table (0 if empty); return their number.

    The paraphrases of ``firsts[i]`` are the ``seconds`` before ``ends[i]``. ``sides`` has 1 for the first, 2 for the
    second, 3 for both.
    """
    i: cython.Py_ssize_t
    entry: cython.longlong = 0
    kept: cython.Py_ssize_t = 0
    slot: cython.ulonglong
    limit: cython.ulonglong = slots.shape[0] - 1
    phrase: cython.ulonglong
    first: cython.uchar
    side: cython.uchar
    with cython.nogil:
        for i in range(firsts.shape[0]):
            slot = (firsts[i] >> 20) & limit
            while slots[slot] != 0 and slots[slot] != firsts[i]:
                slot = (slot + 1) & limit
            first = 1 if slots[slot] != 0 else 0
            while entry < ends[i]:
                phrase = seconds[entry]
                slot = (phrase >> 20) & limit
                while slots[slot] != 0 and slots[slot] != phrase:
                    slot = (slot + 1) & limit
                side = first
                if slots[slot] != 0:
                    side |= 2
                if side != 0:
                    pairs[kept, 0] = firsts[i]
                    pairs[kept, 1] = phrase
                    sides[kept] = side
                    kept += 1
                entry += 1
    return kept


@cython.ccall
def spans(
    words: cython.const[cython.int][::1],
    offsets: cython.const[cython.longlong][::1],
    prints: cython.const[cython.ulonglong][::1],
    most: cython.Py_ssize_t,
    slots: cython.const[cython.ulonglong][::1],
    numbers: cython.const[cython.int][::1],
    found: cython.int[:, ::1],
    found_offsets: cython.longlong[::1],
    hashes: cython.ulonglong[::1],
) -> cython.Py_ssize_t:
    """Find the phrases of up to ``most`` words of every text: start, length and number, from left to right.

    With ``slots`` the phrases looked for are those in it, and ``numbers`` says theirs; without (size 0), all of them
    are found, and ``hashes`` has their fingerprints.
    """
    text: cython.Py_ssize_t
    i: cython.longlong
    j: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    phrase: cython.ulonglong
    slot: cython.ulonglong
    limit: cython.ulonglong = 0
    mixer: cython.ulonglong = 0x9E3779B97F4A7C15
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    everything: cython.bint = slots.shape[0] == 0
    if not everything:
        limit = slots.shape[0] - 1
    with cython.nogil:
        found_offsets[0] = 0
        for text in range(offsets.shape[0] - 1):
            for i in range(offsets[text], offsets[text + 1]):
                phrase = 0
                for j in range(most):
                    if i + j >= offsets[text + 1]:
                        break
                    phrase = ((phrase ^ prints[words[i + j]]) * mixer) & whole
                    phrase ^= phrase >> 29
                    if everything:
                        hashes[count] = phrase
                        count += 1
                        continue
                    slot = (phrase >> 20) & limit
                    while slots[slot] != 0 and slots[slot] != phrase:
                        slot = (slot + 1) & limit
                    if slots[slot] != 0:
                        found[count, 0] = i - offsets[text]
                        found[count, 1] = j + 1
                        found[count, 2] = numbers[slot]
                        count += 1
            found_offsets[text + 1] = count
    return count


@cython.ccall
def occupy(
    prints: cython.const[cython.ulonglong][::1], slots: cython.ulonglong[::1], numbers: cython.int[::1]
) -> cython.void:
    """Fill a hash table (``slots``, zeros, a power of two of them) with distinct fingerprints and their numbers."""
    i: cython.Py_ssize_t
    slot: cython.ulonglong
    limit: cython.ulonglong = slots.shape[0] - 1
    with cython.nogil:
        for i in range(prints.shape[0]):
            slot = (prints[i] >> 20) & limit
            while slots[slot] != 0:
                slot = (slot + 1) & limit
            slots[slot] = prints[i]
            numbers[slot] = i


@cython.ccall
def look_up(
    prints: cython.const[cython.ulonglong][::1],
    slots: cython.const[cython.ulonglong][::1],
    numbers: cython.const[cython.int][::1],
    found: cython.int[::1],
) -> cython.void:
    """Find the numbers of fingerprints that are all in a hash table; that of 0, which marks empty slots, is 0."""
    i: cython.Py_ssize_t
    slot: cython.ulonglong
    limit: cython.ulonglong = slots.shape[0] - 1
    with cython.nogil:
        for i in range(prints.shape[0]):
            slot = (prints[i] >> 20) & limit
            while slots[slot] != 0 and slots[slot] != prints[i]:
                slot = (slot + 1) & limit
            found[i] = numbers[slot]
