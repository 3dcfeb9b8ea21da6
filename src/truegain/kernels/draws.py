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
def bootstrap_bytes(
    keys: cython.const[cython.ulonglong][::1],
    counts: cython.uchar[:, ::1],
    waiting: cython.ushort[:, ::1],
    lengths: cython.int[::1],
) -> cython.void:
    """Count as :func:`bootstrap_counts`, in a byte each, for so many units that they are in no cache together.

    Draws wait by regions of 2^16 units, each in a row of ``waiting``; only when a row is full is its region needed.
    A unit that is drawn more than 255 times begins again at 0: the counts of its resample do not add up to n then.
    ``lengths`` is how many wait in each row.
    """
    units: cython.ulonglong = cython.cast(cython.ulonglong, counts.shape[1])
    half: cython.ulonglong = 0xFFFFFFFF
    golden: cython.ulonglong = 0x9E3779B97F4A7C15
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    row: cython.Py_ssize_t
    region: cython.Py_ssize_t
    place: cython.Py_ssize_t
    draw: cython.ulonglong
    unit: cython.ulonglong
    key: cython.ulonglong
    z: cython.ulonglong = 0
    with cython.nogil:
        for row in range(keys.shape[0]):
            key = keys[row]
            for place in range(counts.shape[1]):
                counts[row, place] = 0
            for region in range(lengths.shape[0]):
                lengths[region] = 0
            for draw in range(units):
                if draw & 1 == 0:
                    key = (key + golden) & whole
                    z = _finish(key)
                else:
                    z >>= 32
                unit = ((z & half) * units) >> 32
                region = cython.cast(cython.Py_ssize_t, unit >> 16)
                waiting[region, lengths[region]] = cython.cast(cython.ushort, unit & 0xFFFF)
                lengths[region] += 1
                if lengths[region] == waiting.shape[1]:
                    for place in range(waiting.shape[1]):
                        counts[row, (region << 16) + waiting[region, place]] += 1
                    lengths[region] = 0
            for region in range(lengths.shape[0]):
                for place in range(lengths[region]):
                    counts[row, (region << 16) + waiting[region, place]] += 1


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
