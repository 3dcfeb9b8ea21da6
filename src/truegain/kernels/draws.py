"""Random weights of resamples, by counter: any resample can be made alone, in any order, on any machine.

A resample has one 64-bit key, made by Philox-4x32-10 (Salmon et al. 2011) from the seed, the stream and its number.
Word ``w`` of its random bits is the splitmix64 finaliser (Steele et al. 2014) of ``key + (w + 1) * golden``.
:mod:`truegain.resampling.generator` holds the same in vectorised numpy, bit for bit.
"""

import cython


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _finish(z: cython.ulonglong) -> cython.ulonglong:
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    first: cython.ulonglong = 0xBF58476D1CE4E5B9
    second: cython.ulonglong = 0x94D049BB133111EB
    z = ((z ^ (z >> 30)) * first) & whole
    z = ((z ^ (z >> 27)) * second) & whole
    return z ^ (z >> 31)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _word(key: cython.ulonglong, number: cython.ulonglong) -> cython.ulonglong:
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    golden: cython.ulonglong = 0x9E3779B97F4A7C15
    return _finish((key + (number + 1) * golden) & whole)


@cython.ccall
def resample_keys(
    seed: cython.ulonglong, stream: cython.ulonglong, first: cython.ulonglong, keys: cython.ulonglong[::1]
) -> cython.void:
    """Fill ``keys`` with the keys of resamples ``first``, ``first + 1``, … of a stream."""
    half: cython.ulonglong = 0xFFFFFFFF
    multiplier0: cython.ulonglong = 0xD2511F53
    multiplier1: cython.ulonglong = 0xCD9E8D57
    weyl0: cython.ulonglong = 0x9E3779B9
    weyl1: cython.ulonglong = 0xBB67AE85
    i: cython.Py_ssize_t
    step: cython.int
    c0: cython.ulonglong
    c1: cython.ulonglong
    c2: cython.ulonglong
    c3: cython.ulonglong
    k0: cython.ulonglong
    k1: cython.ulonglong
    product0: cython.ulonglong
    product1: cython.ulonglong
    with cython.nogil:
        for i in range(keys.shape[0]):
            c0 = (first + i) & half
            c1 = (first + i) >> 32
            c2 = stream & half
            c3 = stream >> 32
            k0 = seed & half
            k1 = seed >> 32
            for step in range(10):
                product0 = multiplier0 * c0
                product1 = multiplier1 * c2
                c0 = (product1 >> 32) ^ c1 ^ k0
                c1 = product1 & half
                c2 = (product0 >> 32) ^ c3 ^ k1
                c3 = product0 & half
                k0 = (k0 + weyl0) & half
                k1 = (k1 + weyl1) & half
            keys[i] = c0 | (c1 << 32)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _tally_draws(key: cython.ulonglong, units: cython.ulonglong, tally: cython.uint[::1]) -> cython.void:
    """Count how often each of n units is drawn in n draws, two to a word: its low half, then its high half."""
    half: cython.ulonglong = 0xFFFFFFFF
    golden: cython.ulonglong = 0x9E3779B97F4A7C15
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    number: cython.ulonglong
    z: cython.ulonglong
    for number in range(units):
        tally[number] = 0
    # The state of a word is that of the word before plus a constant: an addition instead of a product.
    for number in range(units // 2):
        key = (key + golden) & whole
        z = _finish(key)
        tally[((z & half) * units) >> 32] += 1
        tally[((z >> 32) * units) >> 32] += 1
    if units % 2 == 1:
        z = _finish((key + golden) & whole)
        tally[((z & half) * units) >> 32] += 1


@cython.ccall
def bootstrap_counts(
    keys: cython.const[cython.ulonglong][::1], counts: cython.float[:, ::1], tally: cython.uint[::1]
) -> cython.void:
    """Count how often each of n units is drawn in n draws with replacement, one row per resample.

    Two draws per word: ``(low half * n) >> 32``, then ``(high half * n) >> 32``. ``tally`` is work space of a row:
    whole numbers are counted up faster than floats.
    """
    row: cython.Py_ssize_t
    unit: cython.Py_ssize_t
    with cython.nogil:
        for row in range(keys.shape[0]):
            _tally_draws(keys[row], cython.cast(cython.ulonglong, counts.shape[1]), tally)
            for unit in range(counts.shape[1]):
                counts[row, unit] = cython.cast(cython.float, cython.cast(cython.int, tally[unit]))


@cython.ccall
def draw_patterns(
    keys: cython.const[cython.ulonglong][::1],
    units: cython.ulonglong,
    tally: cython.uint[::1],
    low: cython.uchar[::1],
    patterns: cython.uchar[::1],
    most: cython.longlong[::1],
    found: cython.ulonglong[::1],
    starts: cython.longlong[::1],
    more: cython.uint[::1],
) -> cython.void:
    """Write the counts of :func:`bootstrap_counts` as patterns, for :func:`pattern_sums`.

    A pattern is the counts of three units, two bits each, as far as they go: a count above three is three here, and
    what is left of it makes further patterns, which are in ``more``. A step is of 24 units, in eight groups: group
    ``g`` of step ``s`` has units ``24 * s + g``, eight and sixteen after it. ``patterns`` (steps, resamples, 8);
    ``most``: the draws of a step, in the resample that has most; ``more``, from ``starts[s]`` to ``starts[s + 1]``, for
    every further pattern of step ``s``: the resample times 512, the group times 64, and the pattern. Work space:
    ``tally`` and ``low`` (24 * steps,) and ``found``, as long as ``more``: a third of all draws is enough.
    """
    rows: cython.Py_ssize_t = keys.shape[0]
    steps: cython.Py_ssize_t = most.shape[0]
    row: cython.Py_ssize_t
    step: cython.Py_ssize_t
    group: cython.Py_ssize_t
    unit: cython.Py_ssize_t
    place: cython.Py_ssize_t
    number: cython.Py_ssize_t = 0
    a: cython.uint
    b: cython.uint
    c: cython.uint
    total: cython.uint
    high: cython.uint
    half: cython.ulonglong = 0xFFFFFFFF
    with cython.nogil:
        for step in range(steps):
            most[step] = 0
            starts[step] = 0
        starts[steps] = 0
        for unit in range(tally.shape[0]):
            tally[unit] = 0  # behind the last unit there are none to draw
        for row in range(rows):
            _tally_draws(keys[row], units, tally)
            for unit in range(tally.shape[0]):
                low[unit] = min(tally[unit], 3)
            for step in range(steps):
                unit = 24 * step
                place = 8 * (step * rows + row)
                for group in range(8):
                    patterns[place + group] = (
                        low[unit + group] | (low[unit + group + 8] << 2) | (low[unit + group + 16] << 4)
                    )
                total = 0
                high = 0
                for group in range(24):
                    total += tally[unit + group]
                    high |= tally[unit + group]
                if total > most[step]:
                    most[step] = total
                if high < 4:
                    continue
                for group in range(8):
                    a = max(tally[unit + group], 3) - 3
                    b = max(tally[unit + group + 8], 3) - 3
                    c = max(tally[unit + group + 16], 3) - 3
                    while a | b | c:
                        high = min(a, 3) | (min(b, 3) << 2) | (min(c, 3) << 4)
                        found[number] = (cython.cast(cython.ulonglong, step) << 32) | (row << 9) | (group << 6) | high
                        number += 1
                        starts[step] += 1
                        a = max(a, 3) - 3
                        b = max(b, 3) - 3
                        c = max(c, 3) - 3
        # Sort by step: first, where each step ends; then, from the last one on, its patterns before that.
        for step in range(1, steps):
            starts[step] += starts[step - 1]
        starts[steps] = number
        for place in range(number - 1, -1, -1):
            step = cython.cast(cython.Py_ssize_t, found[place] >> 32)
            starts[step] -= 1
            more[starts[step]] = cython.cast(cython.uint, found[place] & half)


@cython.ccall
def pattern_sums(
    patterns: cython.const[cython.uchar][::1],
    most: cython.const[cython.longlong][::1],
    starts: cython.const[cython.longlong][::1],
    more: cython.const[cython.uint][::1],
    values: cython.const[cython.ulonglong][::1],
    span: cython.longlong,
    columns: cython.const[cython.longlong][::1],
    additions: cython.const[cython.double][::1],
    scales: cython.const[cython.double][::1],
    tables: cython.ulonglong[::1],
    packed: cython.ulonglong[::1],
    wide: cython.ulonglong[::1],
    sums: cython.double[:, ::1],
) -> cython.void:
    """Sum statistics over the units drawn, counted by :func:`draw_patterns`: (sums, resamples).

    The sums of all 64 patterns of three units are made once for many resamples and looked up for each, 32 columns at a
    time: additions of a few units' statistics in place of a product for each. Statistics are 16 bits, four to a word:
    ``values`` (blocks of 32 columns, 24 * steps, 8) has column ``c`` from bit ``16 * (c % 4)`` of word ``c // 4`` of
    its block, zero behind the last unit. None may be above ``span``; that times nine, and times any of ``most``, must
    be below 2^16: before sums may reach it, they are moved to 32 bits. Of each row of ``sums``, ``columns`` has the
    column; ``additions`` are added to it, then it is multiplied by ``scales``. Work space: ``tables`` (8, 64, 8),
    ``packed`` (resamples, 8), ``wide`` (resamples, 16).
    """
    rows: cython.Py_ssize_t = sums.shape[1]
    steps: cython.Py_ssize_t = most.shape[0]
    blocks: cython.Py_ssize_t = values.shape[0] // (192 * steps)
    block: cython.Py_ssize_t
    step: cython.Py_ssize_t
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    place: cython.Py_ssize_t
    number: cython.Py_ssize_t
    shift: cython.int
    held: cython.longlong
    half: cython.ulonglong = 0xFFFFFFFF
    i0: cython.Py_ssize_t
    i1: cython.Py_ssize_t
    i2: cython.Py_ssize_t
    i3: cython.Py_ssize_t
    i4: cython.Py_ssize_t
    i5: cython.Py_ssize_t
    i6: cython.Py_ssize_t
    i7: cython.Py_ssize_t
    s0: cython.ulonglong
    s1: cython.ulonglong
    s2: cython.ulonglong
    s3: cython.ulonglong
    s4: cython.ulonglong
    s5: cython.ulonglong
    s6: cython.ulonglong
    s7: cython.ulonglong
    with cython.nogil:
        for block in range(blocks):
            for place in range(8 * rows):
                packed[place] = 0
            for place in range(16 * rows):
                wide[place] = 0
            held = 0
            for step in range(steps):
                if held + most[step] * span > 0xFFFF:
                    _widen(packed, wide)
                    held = 0
                held += most[step] * span
                _fill_tables(values, 192 * (block * steps + step), tables)
                for row in range(rows):
                    place = 8 * (step * rows + row)
                    i0 = 8 * cython.cast(cython.Py_ssize_t, patterns[place])
                    i1 = 8 * cython.cast(cython.Py_ssize_t, patterns[place + 1])
                    i2 = 8 * cython.cast(cython.Py_ssize_t, patterns[place + 2])
                    i3 = 8 * cython.cast(cython.Py_ssize_t, patterns[place + 3])
                    i4 = 8 * cython.cast(cython.Py_ssize_t, patterns[place + 4])
                    i5 = 8 * cython.cast(cython.Py_ssize_t, patterns[place + 5])
                    i6 = 8 * cython.cast(cython.Py_ssize_t, patterns[place + 6])
                    i7 = 8 * cython.cast(cython.Py_ssize_t, patterns[place + 7])
                    place = 8 * row
                    # All are read before the first is written: so the compiler sees that no write changes what is read.
                    s0 = packed[place] + _looked_up(tables, 0, i0, i1, i2, i3, i4, i5, i6, i7)
                    s1 = packed[place + 1] + _looked_up(tables, 1, i0, i1, i2, i3, i4, i5, i6, i7)
                    s2 = packed[place + 2] + _looked_up(tables, 2, i0, i1, i2, i3, i4, i5, i6, i7)
                    s3 = packed[place + 3] + _looked_up(tables, 3, i0, i1, i2, i3, i4, i5, i6, i7)
                    s4 = packed[place + 4] + _looked_up(tables, 4, i0, i1, i2, i3, i4, i5, i6, i7)
                    s5 = packed[place + 5] + _looked_up(tables, 5, i0, i1, i2, i3, i4, i5, i6, i7)
                    s6 = packed[place + 6] + _looked_up(tables, 6, i0, i1, i2, i3, i4, i5, i6, i7)
                    s7 = packed[place + 7] + _looked_up(tables, 7, i0, i1, i2, i3, i4, i5, i6, i7)
                    packed[place] = s0
                    packed[place + 1] = s1
                    packed[place + 2] = s2
                    packed[place + 3] = s3
                    packed[place + 4] = s4
                    packed[place + 5] = s5
                    packed[place + 6] = s6
                    packed[place + 7] = s7
                for number in range(starts[step], starts[step + 1]):
                    place = 8 * cython.cast(cython.Py_ssize_t, more[number] >> 9)
                    i0 = 8 * cython.cast(cython.Py_ssize_t, more[number] & 511)
                    s0 = packed[place] + tables[i0]
                    s1 = packed[place + 1] + tables[i0 + 1]
                    s2 = packed[place + 2] + tables[i0 + 2]
                    s3 = packed[place + 3] + tables[i0 + 3]
                    s4 = packed[place + 4] + tables[i0 + 4]
                    s5 = packed[place + 5] + tables[i0 + 5]
                    s6 = packed[place + 6] + tables[i0 + 6]
                    s7 = packed[place + 7] + tables[i0 + 7]
                    packed[place] = s0
                    packed[place + 1] = s1
                    packed[place + 2] = s2
                    packed[place + 3] = s3
                    packed[place + 4] = s4
                    packed[place + 5] = s5
                    packed[place + 6] = s6
                    packed[place + 7] = s7
            _widen(packed, wide)
            for place in range(sums.shape[0]):
                column = columns[place]
                if column >> 5 == block:
                    shift = 16 * (column & 2)
                    column = 8 * (column & 1) + ((column >> 2) & 7)
                    for row in range(rows):
                        sums[place, row] = (
                            cython.cast(cython.longlong, (wide[16 * row + column] >> shift) & half) + additions[place]
                        ) * scales[place]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _looked_up(
    tables: cython.ulonglong[::1],
    word: cython.Py_ssize_t,
    i0: cython.Py_ssize_t,
    i1: cython.Py_ssize_t,
    i2: cython.Py_ssize_t,
    i3: cython.Py_ssize_t,
    i4: cython.Py_ssize_t,
    i5: cython.Py_ssize_t,
    i6: cython.Py_ssize_t,
    i7: cython.Py_ssize_t,
) -> cython.ulonglong:
    """Sum a word of eight rows of the tables."""
    return (
        (tables[i0 + word] + tables[512 + i1 + word] + tables[1024 + i2 + word] + tables[1536 + i3 + word])
        + (tables[2048 + i4 + word] + tables[2560 + i5 + word])
        + (tables[3072 + i6 + word] + tables[3584 + i7 + word])
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_tables(
    values: cython.const[cython.ulonglong][::1], first: cython.Py_ssize_t, tables: cython.ulonglong[::1]
) -> cython.void:
    """Make the sums of the patterns of a step's eight groups, its units' words being those from ``first`` on."""
    group: cython.Py_ssize_t
    unit: cython.Py_ssize_t
    word: cython.Py_ssize_t
    size: cython.Py_ssize_t
    place: cython.Py_ssize_t
    one: cython.ulonglong
    held: cython.ulonglong
    for group in range(8):
        for word in range(8):
            tables[512 * group + word] = 0
            size = 8
            for unit in range(3):
                one = values[first + 64 * unit + 8 * group + word]
                for place in range(512 * group + word, 512 * group + size, 8):
                    held = tables[place] + one
                    tables[place + size] = held
                    held += one
                    tables[place + 2 * size] = held
                    tables[place + 3 * size] = held + one
                size *= 4


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _widen(packed: cython.ulonglong[::1], wide: cython.ulonglong[::1]) -> cython.void:
    """Add sums of 16 bits to those of 32, the even ones of a row before the odd ones, and begin at zero."""
    even: cython.ulonglong = 0x0000FFFF0000FFFF
    row: cython.Py_ssize_t
    word: cython.Py_ssize_t
    for row in range(packed.shape[0] // 8):
        for word in range(8):
            wide[16 * row + word] += packed[8 * row + word] & even
            wide[16 * row + 8 + word] += (packed[8 * row + word] >> 16) & even
            packed[8 * row + word] = 0


@cython.ccall
def draw_sums(
    keys: cython.const[cython.ulonglong][::1],
    units: cython.ulonglong,
    values: cython.const[cython.ulonglong][::1],
    part: cython.ulonglong,
    packed: cython.ulonglong[::1],
    sums: cython.longlong[:, ::1],
) -> cython.void:
    """Sum 16-bit statistics, four to a word, over the draws of :func:`bootstrap_counts`: (columns, resamples).

    ``values`` has the rows of the units one after the other, each as many words as ``packed``, which is work space:
    four, or eight. Column ``c`` is 16 bits of word ``c // 4``, from bit ``16 * (c % 4)`` on. Four columns are added at
    once, so none may reach 2^16 within ``part`` draws, an even number: then they are taken apart and begin at zero.
    """
    half: cython.ulonglong = 0xFFFFFFFF
    golden: cython.ulonglong = 0x9E3779B97F4A7C15
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    width: cython.Py_ssize_t = packed.shape[0]
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    low: cython.Py_ssize_t
    high: cython.Py_ssize_t
    number: cython.ulonglong
    left: cython.ulonglong
    drawn: cython.ulonglong
    key: cython.ulonglong
    z: cython.ulonglong
    s0: cython.ulonglong
    s1: cython.ulonglong
    s2: cython.ulonglong
    s3: cython.ulonglong
    s4: cython.ulonglong
    s5: cython.ulonglong
    s6: cython.ulonglong
    s7: cython.ulonglong
    with cython.nogil:
        for row in range(keys.shape[0]):
            key = keys[row]
            for column in range(sums.shape[0]):
                sums[column, row] = 0
            left = units
            while left > 0:
                drawn = min(part, left)
                left -= drawn
                s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0
                if width == 4:
                    for number in range(drawn // 2):
                        key = (key + golden) & whole
                        z = _finish(key)
                        low = 4 * cython.cast(cython.Py_ssize_t, ((z & half) * units) >> 32)
                        high = 4 * cython.cast(cython.Py_ssize_t, ((z >> 32) * units) >> 32)
                        s0 += values[low] + values[high]
                        s1 += values[low + 1] + values[high + 1]
                        s2 += values[low + 2] + values[high + 2]
                        s3 += values[low + 3] + values[high + 3]
                    packed[0] = s0
                    packed[1] = s1
                    packed[2] = s2
                    packed[3] = s3
                else:
                    for number in range(drawn // 2):
                        key = (key + golden) & whole
                        z = _finish(key)
                        low = 8 * cython.cast(cython.Py_ssize_t, ((z & half) * units) >> 32)
                        high = 8 * cython.cast(cython.Py_ssize_t, ((z >> 32) * units) >> 32)
                        s0 += values[low] + values[high]
                        s1 += values[low + 1] + values[high + 1]
                        s2 += values[low + 2] + values[high + 2]
                        s3 += values[low + 3] + values[high + 3]
                        s4 += values[low + 4] + values[high + 4]
                        s5 += values[low + 5] + values[high + 5]
                        s6 += values[low + 6] + values[high + 6]
                        s7 += values[low + 7] + values[high + 7]
                    packed[0] = s0
                    packed[1] = s1
                    packed[2] = s2
                    packed[3] = s3
                    packed[4] = s4
                    packed[5] = s5
                    packed[6] = s6
                    packed[7] = s7
                if drawn % 2 == 1:
                    z = _finish((key + golden) & whole)
                    low = width * cython.cast(cython.Py_ssize_t, ((z & half) * units) >> 32)
                    for column in range(width):
                        packed[column] += values[low + column]
                for column in range(sums.shape[0]):
                    z = (packed[column >> 2] >> (16 * (column & 3))) & 0xFFFF
                    sums[column, row] += cython.cast(cython.longlong, z)


@cython.ccall
def stratified_counts(
    keys: cython.const[cython.ulonglong][::1],
    edges: cython.const[cython.longlong][::1],
    counts: cython.float[:, ::1],
    tally: cython.uint[::1],
) -> cython.void:
    """Count as :func:`bootstrap_counts`, but draw each stratum's units as often as it has units.

    Stratum ``h`` holds the units from ``edges[h]`` to ``edges[h + 1]``. Draw ``t`` takes the same half of the same word
    as without strata, and lands in the stratum that holds unit ``t``.
    """
    half: cython.ulonglong = 0xFFFFFFFF
    golden: cython.ulonglong = 0x9E3779B97F4A7C15
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    row: cython.Py_ssize_t
    unit: cython.Py_ssize_t
    stratum: cython.Py_ssize_t
    draw: cython.longlong
    start: cython.ulonglong
    size: cython.ulonglong
    key: cython.ulonglong
    z: cython.ulonglong = 0
    with cython.nogil:
        for row in range(keys.shape[0]):
            key = keys[row]
            for unit in range(counts.shape[1]):
                tally[unit] = 0
            for stratum in range(edges.shape[0] - 1):
                start = cython.cast(cython.ulonglong, edges[stratum])
                size = cython.cast(cython.ulonglong, edges[stratum + 1]) - start
                for draw in range(edges[stratum], edges[stratum + 1]):
                    if draw & 1 == 0:
                        key = (key + golden) & whole
                        z = _finish(key)
                    else:
                        z >>= 32
                    tally[start + (((z & half) * size) >> 32)] += 1
            for unit in range(counts.shape[1]):
                counts[row, unit] = cython.cast(cython.float, cython.cast(cython.int, tally[unit]))


@cython.ccall
def stationary_counts(
    keys: cython.const[cython.ulonglong][::1],
    threshold: cython.ulonglong,
    counts: cython.float[:, ::1],
    tally: cython.uint[::1],
) -> cython.void:
    """Count draws of each of n units by the stationary bootstrap (Politis and Romano 1994), one row per resample.

    One word per draw: if its high half is below ``threshold``, and at the first draw, a block starts at unit
    ``(low half * n) >> 32``; else the unit after the last one is drawn, and the first is after the last of all.
    """
    units: cython.ulonglong = cython.cast(cython.ulonglong, counts.shape[1])
    half: cython.ulonglong = 0xFFFFFFFF
    golden: cython.ulonglong = 0x9E3779B97F4A7C15
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    row: cython.Py_ssize_t
    unit: cython.Py_ssize_t
    draw: cython.Py_ssize_t
    drawn: cython.ulonglong
    key: cython.ulonglong
    z: cython.ulonglong
    with cython.nogil:
        for row in range(keys.shape[0]):
            key = keys[row]
            for unit in range(counts.shape[1]):
                tally[unit] = 0
            drawn = 0
            for draw in range(counts.shape[1]):
                key = (key + golden) & whole
                z = _finish(key)
                drawn += 1
                if drawn == units:
                    drawn = 0
                if draw == 0 or (z >> 32) < threshold:
                    drawn = ((z & half) * units) >> 32
                tally[drawn] += 1
            for unit in range(counts.shape[1]):
                counts[row, unit] = cython.cast(cython.float, cython.cast(cython.int, tally[unit]))


@cython.ccall
def swap_sums(
    keys: cython.const[cython.ulonglong][::1],
    values: cython.const[cython.ulonglong][::1],
    tables: cython.ulonglong[::1],
    sums: cython.ulonglong[::1],
) -> cython.void:
    """Sum the rows of ``values``, two words each, over the units whose random bit is one; two words per resample.

    Unit ``i`` has bit ``i % 64`` of word ``i // 64``. The units of a word are taken eight at a time: the sums of all
    256 subsets are made once and then looked up for every resample. ``tables`` (8, 256, 2) is work space, small enough
    for the fastest cache. Views are flat, because a place in a table of several dimensions costs products.
    """
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    golden: cython.ulonglong = 0x9E3779B97F4A7C15
    units: cython.Py_ssize_t = values.shape[0] // 2
    row: cython.Py_ssize_t
    word: cython.Py_ssize_t
    unit: cython.Py_ssize_t
    subset: cython.Py_ssize_t
    place: cython.Py_ssize_t
    other: cython.Py_ssize_t
    bit: cython.int
    byte: cython.int
    z: cython.ulonglong
    step: cython.ulonglong = 0
    s0: cython.ulonglong
    s1: cython.ulonglong
    with cython.nogil:
        for place in range(sums.shape[0]):
            sums[place] = 0
        for word in range((units + 63) // 64):
            for byte in range(8):
                tables[512 * byte] = 0
                tables[512 * byte + 1] = 0
                for bit in range(8):
                    unit = 64 * word + 8 * byte + bit
                    s0 = s1 = 0
                    if unit < units:
                        s0 = values[2 * unit]
                        s1 = values[2 * unit + 1]
                    for subset in range(1 << bit):
                        place = 512 * byte + 2 * subset
                        other = place + (2 << bit)
                        tables[other] = tables[place] + s0
                        tables[other + 1] = tables[place + 1] + s1
            step = (step + golden) & whole
            for row in range(keys.shape[0]):
                z = _finish((keys[row] + step) & whole)
                s0 = sums[2 * row]
                s1 = sums[2 * row + 1]
                for byte in range(8):
                    place = 512 * byte + 2 * cython.cast(cython.Py_ssize_t, z & 255)
                    s0 += tables[place]
                    s1 += tables[place + 1]
                    z >>= 8
                sums[2 * row] = s0
                sums[2 * row + 1] = s1


@cython.ccall
def deal_sums(
    keys: cython.const[cython.ulonglong][::1],
    values: cython.const[cython.longlong][:, :, ::1],
    order: cython.uint[::1],
    sums: cython.longlong[:, :, ::1],
) -> cython.void:
    """Permute the runs' outputs in every segment, and sum their statistics: one (runs, statistics) per resample.

    The order of the runs is shuffled segment by segment (Fisher and Yates): place j, from the last down to the second,
    is exchanged with place ``(half * (j + 1)) >> 32``, by the low half of a word of its own. ``order`` is work space.
    """
    half: cython.ulonglong = 0xFFFFFFFF
    runs: cython.Py_ssize_t = values.shape[1]
    row: cython.Py_ssize_t
    segment: cython.Py_ssize_t
    place: cython.Py_ssize_t
    other: cython.Py_ssize_t
    k: cython.Py_ssize_t
    held: cython.uint
    number: cython.ulonglong
    with cython.nogil:
        for row in range(keys.shape[0]):
            number = 0
            for place in range(runs):
                for k in range(values.shape[2]):
                    sums[row, place, k] = 0
            for segment in range(values.shape[0]):
                for place in range(runs):
                    order[place] = cython.cast(cython.uint, place)
                for place in range(runs - 1, 0, -1):
                    other = cython.cast(
                        cython.Py_ssize_t,
                        ((_word(keys[row], number) & half) * cython.cast(cython.ulonglong, place + 1)) >> 32,
                    )
                    number += 1
                    held = order[place]
                    order[place] = order[other]
                    order[other] = held
                for place in range(runs):
                    for k in range(values.shape[2]):
                        sums[row, place, k] += values[segment, order[place], k]


@cython.ccall
def poisson_weights(
    keys: cython.const[cython.ulonglong][::1],
    thresholds: cython.const[cython.ulonglong][::1],
    guide: cython.const[cython.uchar][::1],
    first: cython.ulonglong,
    weights: cython.float[:, ::1],
) -> cython.void:
    """Draw weights of the units with these keys, one row each, in the resamples from ``first``, an even number, on.

    Resample ``r`` takes half ``r % 2`` of word ``r // 2`` of the unit's key, and the weight is the number of
    ``thresholds`` at or below it; the last threshold is above every half. ``guide`` (256) has the least weight of all
    halves with the same first byte.
    """
    half: cython.ulonglong = 0xFFFFFFFF
    row: cython.Py_ssize_t
    place: cython.Py_ssize_t
    count: cython.Py_ssize_t = weights.shape[1]
    number: cython.ulonglong
    key: cython.ulonglong
    z: cython.ulonglong
    drawn: cython.ulonglong
    weight: cython.int
    with cython.nogil:
        for row in range(keys.shape[0]):
            key = keys[row]
            number = first >> 1
            place = 0
            while place < count:
                z = _word(key, number)
                number += 1
                drawn = z & half
                weight = guide[drawn >> 24]
                while drawn >= thresholds[weight]:
                    weight += 1
                weights[row, place] = weight
                place += 1
                if place < count:
                    drawn = z >> 32
                    weight = guide[drawn >> 24]
                    while drawn >= thresholds[weight]:
                        weight += 1
                    weights[row, place] = weight
                    place += 1


@cython.ccall
def swap_weights(
    keys: cython.const[cython.ulonglong][::1], first: cython.ulonglong, weights: cython.float[:, ::1]
) -> cython.void:
    """Draw whether units, one row each, are swapped in the resamples from ``first``, a multiple of 64, on: 0 or 1.

    Resample ``r`` takes bit ``r % 64`` of word ``r // 64`` of the unit's key.
    """
    row: cython.Py_ssize_t
    place: cython.Py_ssize_t
    last: cython.Py_ssize_t
    count: cython.Py_ssize_t = weights.shape[1]
    number: cython.ulonglong
    key: cython.ulonglong
    z: cython.ulonglong
    with cython.nogil:
        for row in range(keys.shape[0]):
            key = keys[row]
            number = first >> 6
            place = 0
            while place < count:
                z = _word(key, number)
                number += 1
                last = min(place + 64, count)
                while place < last:
                    weights[row, place] = cython.cast(cython.float, cython.cast(cython.int, z & 1))
                    z >>= 1
                    place += 1
