"""Clipped n-gram matches of integer sequences, exact for any order.

Within a segment the distinct symbols of the references get small numbers. There is nothing to hash, and next to nothing
to branch on, in either of two ways.

By bits, for one short reference: the places of a symbol are the bits of a word, 64 to a block. An n-gram ends at those
of its last symbol's places that are its prefix' moved by one. Each n-gram of the hypothesis takes a place that is still
free.

By table, for any references: the n-grams that stand in the references more than once get numbers too, order by order.
An n-gram is then a cell: (number of its prefix, number of its last symbol). One that stands at one place only needs no
cell any more: its continuations are read off at that place.
"""

import cython


@cython.ccall
def matches_by_bits(
    chosen: cython.const[cython.longlong][::1],
    hypothesis: cython.const[cython.int][::1],
    hypothesis_offsets: cython.const[cython.longlong][::1],
    reference: cython.const[cython.int][::1],
    reference_offsets: cython.const[cython.longlong][::1],
    groups: cython.const[cython.longlong][::1],
    numbers: cython.int[::1],
    places: cython.ulonglong[::1],
    spoken: cython.int[:, ::1],
    heard: cython.ulonglong[::1],
    alive: cython.ulonglong[::1],
    due: cython.ulonglong[:, ::1],
    matches: cython.longlong[:, ::1],
) -> cython.void:
    """Count as :func:`matches_by_table`, without weights, the ``chosen`` segments, each with one reference.

    Work space: ``numbers``, zeros, one for each symbol; ``places``, zeros, one more than a reference has symbols;
    ``spoken`` (the longest hypothesis, 2); ``heard`` (that length and the orders); ``alive`` (that length); ``due``
    (orders, that length). There may be 32 orders at most.
    """
    orders: cython.Py_ssize_t = matches.shape[1]
    overlap: cython.Py_ssize_t = orders - 1
    symbols: cython.int = cython.cast(cython.int, numbers.shape[0])
    each: cython.Py_ssize_t
    segment: cython.Py_ssize_t
    order: cython.Py_ssize_t
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    kept: cython.Py_ssize_t
    living: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    first: cython.longlong
    length: cython.longlong
    base: cython.longlong
    wanted: cython.longlong
    found: cython.longlong
    symbol: cython.int
    distinct: cython.int
    here: cython.ulonglong
    fits: cython.ulonglong
    left: cython.ulonglong
    unit: cython.ulonglong = 1
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    # Places: where each numbered symbol stands in the block at hand; none, for number 0, of symbols that the reference
    # does not have. Heard: the places of each of the hypothesis' symbols. Columns of spoken: the symbol's number, and
    # the list of positions whose n-grams were found so far; alive: where these would go on. Due: all bits, or none for
    # an n-gram that took a place in an earlier block.
    with cython.nogil:
        for each in range(chosen.shape[0]):
            segment = chosen[each]
            first = hypothesis_offsets[segment]
            length = hypothesis_offsets[segment + 1] - first
            base = reference_offsets[groups[segment]]
            wanted = reference_offsets[groups[segment] + 1] - base
            distinct = 0
            for i in range(wanted):
                symbol = reference[base + i]
                if numbers[symbol] == 0:
                    distinct += 1
                    numbers[symbol] = distinct
            for i in range(length):
                symbol = hypothesis[first + i]
                spoken[i, 0] = numbers[symbol] if 0 <= symbol < symbols else 0
            for order in range(orders):
                heard[length + order] = 0  # no n-gram goes on beyond the end
                for i in range(length):
                    due[order, i] = whole
            # A block shares places with the one before, so that no n-gram is cut; those that end there are not its own.
            begin = 0
            while begin == 0 or begin + overlap < wanted:
                end = min(begin + 64, wanted)
                for i in range(begin, end):
                    places[numbers[reference[base + i]]] |= unit << cython.cast(cython.ulonglong, i - begin)
                for i in range(length):
                    heard[i] = places[spoken[i, 0]]
                    spoken[i, 1] = cython.cast(cython.int, i)
                    alive[i] = whole
                living = length
                for order in range(orders):
                    left = whole if begin == 0 else (whole << cython.cast(cython.ulonglong, overlap)) & whole
                    found = 0
                    kept = 0
                    for i in range(living):
                        at = spoken[i, 1]
                        here = alive[i] & heard[at + order]
                        fits = here & left & due[order, at]
                        left ^= fits & (0 - fits)  # the lowest of its places is taken
                        found += fits != 0
                        due[order, at] &= cython.cast(cython.ulonglong, fits != 0) - 1
                        alive[kept] = (here << 1) & whole
                        spoken[kept, 1] = cython.cast(cython.int, at)
                        kept += here != 0
                    matches[segment, order] += found
                    living = kept
                for i in range(begin, end):
                    places[numbers[reference[base + i]]] = 0
                begin += 64 - overlap
            for i in range(wanted):
                numbers[reference[base + i]] = 0


@cython.ccall
def matches_by_table(
    chosen: cython.const[cython.longlong][::1],
    hypothesis: cython.const[cython.int][::1],
    hypothesis_offsets: cython.const[cython.longlong][::1],
    reference: cython.const[cython.int][::1],
    reference_offsets: cython.const[cython.longlong][::1],
    groups: cython.const[cython.longlong][::1],
    numbers: cython.int[::1],
    cells: cython.int[:, ::1],
    places: cython.int[:, ::1],
    spoken: cython.int[:, ::1],
    matches: cython.longlong[:, ::1],
    weights: cython.const[cython.int][:, ::1],
    homes: cython.int[::1],
) -> cython.void:
    """Count, for each chosen segment and order, the hypothesis' n-grams found in the references, or add their weights.

    An n-gram counts at most as often as in the reference that has most of it. The references of segment ``i`` are the
    sequences ``groups[i]`` to ``groups[i + 1]`` of ``reference``. Symbols are non-negative in the references; a symbol
    of a hypothesis that is negative or not below ``numbers.shape[0]`` matches nothing. With ``weights`` (symbols of the
    references, orders) an n-gram has the weight at its first symbol; without (0, orders), it counts as one.

    Work space: ``numbers``, zeros, one for each symbol; ``cells`` (c, 4), zeros, with c at least half the square of the
    number of symbols that the references of a segment have, and that number; ``places`` (that number, 6); ``spoken``
    (the longest hypothesis, 3); ``homes`` (that number), with weights only.
    """
    orders: cython.Py_ssize_t = matches.shape[1]
    symbols: cython.int = cython.cast(cython.int, numbers.shape[0])
    each: cython.Py_ssize_t
    segment: cython.Py_ssize_t
    order: cython.Py_ssize_t
    one: cython.Py_ssize_t
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    kept: cython.Py_ssize_t
    start: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    behind: cython.Py_ssize_t
    active: cython.Py_ssize_t
    living: cython.Py_ssize_t
    distinct: cython.Py_ssize_t
    length_of_one: cython.Py_ssize_t
    home: cython.Py_ssize_t
    alone: cython.bint
    weighted: cython.bint = weights.shape[0] > 0
    prefixes: cython.int
    begin: cython.longlong
    end: cython.longlong
    base: cython.longlong
    first: cython.longlong
    length: cython.longlong
    found: cython.longlong
    symbol: cython.int
    state: cython.int
    count: cython.int
    stamp: cython.int = 0
    # Columns of cells: how often the n-gram may still be matched; how often it was seen in the reference at hand; in
    # all references; and its state: the number it has as a prefix of longer n-grams, from 1, or -1 - (the one place
    # where it stands). Columns of places: the symbol's number; where its reference ends; the n-gram's cell; its prefix
    # number; the stamp of the order in which the n-gram that stands only there was used up; and the list of places that
    # still need cells. Columns of spoken: the symbol's number, the state of the n-gram, and the list of positions whose
    # n-grams were found so far. Homes: a place of the n-gram that has the number, for its weight.
    for i in range(places.shape[0]):
        places[i, 4] = 0
    with cython.nogil:
        for each in range(chosen.shape[0]):
            segment = chosen[each]
            first = hypothesis_offsets[segment]
            length = hypothesis_offsets[segment + 1] - first
            base = reference_offsets[groups[segment]]
            active = reference_offsets[groups[segment + 1]] - base
            alone = groups[segment + 1] - groups[segment] == 1
            length_of_one = active
            distinct = 0
            for i in range(active):
                symbol = reference[base + i]
                if numbers[symbol] == 0:
                    distinct += 1
                    numbers[symbol] = cython.cast(cython.int, distinct)
                places[i, 0] = numbers[symbol] - 1
                places[i, 3] = 0
                places[i, 5] = cython.cast(cython.int, i)
            for one in range(groups[segment], groups[segment + 1]):
                end = reference_offsets[one + 1] - base
                for i in range(reference_offsets[one] - base, end):
                    places[i, 1] = cython.cast(cython.int, end)
            for i in range(length):
                symbol = hypothesis[first + i]
                spoken[i, 0] = numbers[symbol] - 1 if 0 <= symbol < symbols else -1
                spoken[i, 1] = 0
                spoken[i, 2] = cython.cast(cython.int, i)
            for i in range(active):
                numbers[reference[base + i]] = 0
            living = length
            for order in range(orders):
                if living == 0:
                    break
                stamp += 1
                if alone:
                    kept = 0
                    while kept < active:
                        at = places[kept, 5]
                        if at + order >= length_of_one:
                            break
                        cell = places[at, 3] * distinct + places[at + order, 0]
                        places[at, 2] = cython.cast(cython.int, cell)
                        cells[cell, 0] += 1
                        cells[cell, 2] += 1
                        kept += 1
                else:
                    kept = 0
                    start = 0
                    while start < active:
                        end = places[places[start, 5], 1]
                        stop = start
                        behind = kept
                        while stop < active and places[places[stop, 5], 1] == end:
                            at = places[stop, 5]
                            stop += 1
                            if at + order < end:
                                cell = places[at, 3] * distinct + places[at + order, 0]
                                places[at, 2] = cython.cast(cython.int, cell)
                                count = cells[cell, 1] + 1
                                cells[cell, 1] = count
                                cells[cell, 0] = max(cells[cell, 0], count)
                                cells[cell, 2] += 1
                                places[kept, 5] = cython.cast(cython.int, at)
                                kept += 1
                        for i in range(behind, kept):
                            cells[places[places[i, 5], 2], 1] = 0
                        start = stop
                active = kept
                prefixes = 0
                for i in range(active):
                    at = places[i, 5]
                    cell = places[at, 2]
                    if cells[cell, 2] == 1:
                        cells[cell, 3] = cython.cast(cython.int, -1 - at)
                        places[at, 3] = -1
                    else:
                        if cells[cell, 3] == 0:
                            if weighted:
                                homes[prefixes] = cython.cast(cython.int, at)
                            prefixes += 1
                            cells[cell, 3] = prefixes
                        places[at, 3] = cells[cell, 3] - 1
                # An n-gram whose prefix is not in the references cannot be there either.
                found = 0
                kept = 0
                for i in range(living):
                    at = spoken[i, 2]
                    if at + order >= length:
                        break
                    symbol = spoken[at + order, 0]
                    state = spoken[at, 1]
                    if symbol < 0:
                        continue
                    if state < 0:
                        begin = -1 - state
                        if begin + order >= places[begin, 1] or places[begin + order, 0] != symbol:
                            continue
                        if not weighted:
                            found += places[begin, 4] != stamp
                        elif places[begin, 4] != stamp:
                            found += weights[base + begin, order]
                        places[begin, 4] = stamp
                    else:
                        cell = (state - 1 if order > 0 else 0) * distinct + symbol
                        count = cells[cell, 0]
                        state = cells[cell, 3]
                        if state == 0:
                            continue
                        if not weighted:
                            found += count > 0
                        elif count > 0:
                            home = homes[state - 1] if state > 0 else -1 - state
                            found += weights[base + home, order]
                        cells[cell, 0] = count - (count > 0)
                        spoken[at, 1] = state
                    spoken[kept, 2] = cython.cast(cython.int, at)
                    kept += 1
                matches[segment, order] = found
                living = kept
                kept = 0
                for i in range(active):
                    at = places[i, 5]
                    cell = places[at, 2]
                    cells[cell, 0] = 0
                    cells[cell, 2] = 0
                    cells[cell, 3] = 0
                    places[kept, 5] = cython.cast(cython.int, at)
                    kept += places[at, 3] >= 0  # an n-gram that stands alone needs no cell at the next order
                active = kept


@cython.ccall
def number_longer(
    symbols: cython.const[cython.int][::1],
    offsets: cython.const[cython.longlong][::1],
    order: cython.Py_ssize_t,
    no_context: cython.int,
    numbers: cython.int[::1],
    counts: cython.const[cython.longlong][::1],
    slots: cython.int[::1],
    names: cython.longlong[::1],
    longer_counts: cython.longlong[::1],
    before: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Assign numbers, from 0, to the n-grams of an order, by the numbers of those one symbol shorter; give how many.

    ``numbers`` says which n-gram begins at each symbol, before and after, or -1; one that goes beyond the end of its
    sequence, or whose shorter one occurs once, gets none. After ``no_context`` all count, and what they follow counts
    as often as there are symbols. Into ``longer_counts`` and ``before`` go, by the new numbers, how often the n-gram
    and its shorter one occur.

    Work space: ``slots``, a power of two above the number of symbols; ``names``, as many as there are symbols.
    """
    mask: cython.ulonglong = cython.cast(cython.ulonglong, slots.shape[0] - 1)
    total: cython.longlong = symbols.shape[0]
    found: cython.Py_ssize_t = 0
    sequence: cython.Py_ssize_t
    at: cython.longlong
    end: cython.longlong
    name: cython.longlong
    shorter: cython.int
    number: cython.int
    place: cython.ulonglong
    factor: cython.ulonglong = 0x9FB21C651E98DF25
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    with cython.nogil:
        for at in range(slots.shape[0]):
            slots[at] = -1
        for sequence in range(offsets.shape[0] - 1):
            end = offsets[sequence + 1]
            for at in range(offsets[sequence], end):
                shorter = numbers[at]
                if shorter < 0:
                    continue
                if at + order > end or (counts[shorter] == 1 and shorter != no_context):
                    numbers[at] = -1
                    continue
                name = cython.cast(cython.longlong, shorter) << 32 | symbols[at + order - 1]
                place = (cython.cast(cython.ulonglong, name) * factor) & whole
                place = (place >> 32) & mask
                number = slots[place]
                while number >= 0 and names[number] != name:
                    place = (place + 1) & mask
                    number = slots[place]
                if number < 0:
                    number = cython.cast(cython.int, found)
                    found += 1
                    slots[place] = number
                    names[number] = name
                    longer_counts[number] = 0
                    before[number] = total if shorter == no_context else counts[shorter]
                numbers[at] = number
                longer_counts[number] += 1
    return found
