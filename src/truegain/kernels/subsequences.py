"""Union of longest common subsequences, as ROUGE-L takes it over the sentences of a summary.

One row of the table of Needleman and Wunsch is one bit for each word of the reference sentence (Crochemore et al. 2001;
Hyyrö 2004): 0 if the subsequence gets longer by that word. The rows are kept, and these bits are all that the way
back needs: at two different words the choice is between one word less of either side, and the reference's is kept
exactly if its bit is 0, as leaving it out would cost. That is also how rouge-score breaks ties, to which the union
is sensitive.
"""

import cython


@cython.ccall
def union_hits(
    said: cython.const[cython.int][::1],
    said_offsets: cython.const[cython.longlong][::1],
    said_groups: cython.const[cython.longlong][::1],
    wanted: cython.const[cython.int][::1],
    wanted_offsets: cython.const[cython.longlong][::1],
    wanted_groups: cython.const[cython.longlong][::1],
    segments: cython.const[cython.longlong][::1],
    numbers: cython.int[::1],
    left: cython.int[::1],
    masks: cython.ulonglong[::1],
    rows: cython.ulonglong[::1],
    kept: cython.int[::1],
    marks: cython.uchar[::1],
    hits: cython.longlong[::1],
) -> cython.void:
    """Count the words of each reference that belong to some longest common subsequence, none more often than was said.

    Text ``i`` of a side is its sentences ``groups[i]`` to ``groups[i + 1]``; sentence ``s`` is its words ``offsets[s]``
    to ``offsets[s + 1]``. Reference ``r`` is of text ``segments[r]``. Words of references are numbers from 0 on; those
    that are said may be negative: they match nothing.

    Work space: ``numbers`` and ``left``, zeros, one for each word; ``masks``, a bit for each word of a reference
    sentence, rounded up to 64, times the different words in it; ``rows``, that many bits times the words of a sentence
    said, and one (one row if both sides have one sentence); ``kept``, the words of a sentence said; ``marks``, the
    words of a reference sentence.
    """
    references: cython.Py_ssize_t = hits.shape[0]
    reference: cython.Py_ssize_t
    segment: cython.Py_ssize_t
    sentence: cython.Py_ssize_t
    other: cython.Py_ssize_t
    place: cython.longlong
    begin: cython.longlong
    length: cython.Py_ssize_t
    width: cython.Py_ssize_t
    word: cython.Py_ssize_t
    row: cython.Py_ssize_t
    mask: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    count: cython.Py_ssize_t
    step: cython.Py_ssize_t
    found: cython.longlong
    symbol: cython.int
    number: cython.int
    distinct: cython.int
    alone: cython.bint
    old: cython.ulonglong
    bits: cython.ulonglong
    total: cython.ulonglong
    carry: cython.ulonglong
    over: cython.ulonglong
    one: cython.ulonglong = 1
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    with cython.nogil:
        for reference in range(references):
            segment = segments[reference]
            alone = (
                said_groups[segment + 1] - said_groups[segment] == 1
                and wanted_groups[reference + 1] - wanted_groups[reference] == 1
            )
            found = 0
            for place in range(said_offsets[said_groups[segment]], said_offsets[said_groups[segment + 1]]):
                if said[place] >= 0:
                    left[said[place]] += 1
            for sentence in range(wanted_groups[reference], wanted_groups[reference + 1]):
                begin = wanted_offsets[sentence]
                length = wanted_offsets[sentence + 1] - begin
                width = (length + 63) // 64
                step = 0 if alone else width
                distinct = 0
                for i in range(length):
                    symbol = wanted[begin + i]
                    if numbers[symbol] == 0:
                        distinct += 1
                        numbers[symbol] = distinct
                        for word in range((distinct - 1) * width, distinct * width):
                            masks[word] = 0
                    masks[(numbers[symbol] - 1) * width + i // 64] |= one << (i % 64)
                    marks[i] = 0
                for other in range(said_groups[segment], said_groups[segment + 1]):
                    for word in range(width):
                        rows[word] = whole
                    count = 0
                    row = 0
                    for place in range(said_offsets[other], said_offsets[other + 1]):
                        symbol = said[place]
                        number = numbers[symbol] if symbol >= 0 else 0
                        kept[count] = number - 1
                        count += 1
                        if number == 0:  # the row stays as it is, but on the way back a word that differs is a word
                            for word in range(width if step else 0):
                                rows[row + step + word] = rows[row + word]
                            row += step
                            continue
                        mask = (number - 1) * width
                        carry = 0
                        for word in range(width):
                            old = rows[row + word]
                            bits = masks[mask + word]
                            total = (old + (old & bits)) & whole
                            over = 1 if total < old else 0
                            total = (total + carry) & whole
                            if carry == 1 and total == 0:
                                over = 1
                            carry = over
                            rows[row + step + word] = total | (old & ~bits)
                        row += step
                    if alone:  # how many bits are 0 is all that is asked for
                        for i in range(length):
                            if (rows[i // 64] >> (i % 64)) & one == 0:
                                found += 1
                        continue
                    i = length
                    j = count
                    while i > 0 and j > 0:
                        word = (i - 1) // 64
                        bits = one << ((i - 1) % 64)
                        if kept[j - 1] >= 0 and masks[kept[j - 1] * width + word] & bits:
                            marks[i - 1] = 1
                            i -= 1
                            j -= 1
                        elif rows[j * width + word] & bits == 0:
                            j -= 1
                        else:
                            i -= 1
                for i in range(length):
                    symbol = wanted[begin + i]
                    numbers[symbol] = 0
                    if marks[i] and left[symbol] > 0:
                        left[symbol] -= 1
                        found += 1
            for place in range(said_offsets[said_groups[segment]], said_offsets[said_groups[segment + 1]]):
                if said[place] >= 0:
                    left[said[place]] = 0
            hits[reference] = found
