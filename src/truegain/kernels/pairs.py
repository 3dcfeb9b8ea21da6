"""All pairs of many systems, counted from the systems' own resampled scores: no difference is ever stored.

Scores stand system by system, so that a pair is two rows and every inner loop runs along resamples. Sums of
fractions are four, added up in one order, so that they are the same however wide the processor's vectors are.

Most pairs are decided far from their limits. Counts are therefore made of single-precision copies
(:func:`_look_near`), of which is known how wrong they may be: where that might decide, and only there, the scores
themselves are looked at. What resamples do to all systems alike is taken off the copies, and so the least and the
largest of two systems often tell that the pair cannot reach its limit.
"""

# mypy: ignore-errors
# Cython's decorators and C types mean nothing to mypy.

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look_near(
    scores: cython.const[cython.double][:, ::1],
    near: cython.float[:, ::1],
    ranges: cython.double[:, ::1],
    shared: cython.double[::1],
) -> cython.double:
    """Copy scores, less the system's first and less what the resample does to all systems alike.

    Copies are divided by the largest of them, so that all are from -1 to 1. Columns of ``ranges``: the first score, the
    least and the largest copy; its last row: what copies were divided by. Times that, the difference of two copies is
    that of the scores, less that of the first ones, but for an error that is at most the returned number.
    """
    s: cython.Py_ssize_t
    r: cython.Py_ssize_t
    systems: cython.Py_ssize_t = scores.shape[0]
    width: cython.Py_ssize_t = scores.shape[1]
    value: cython.double
    base: cython.double
    low: cython.double
    high: cython.double
    size: cython.double = 0.0
    unit: cython.double = 0.0
    inverse: cython.double
    for r in range(width):
        shared[r] = 0.0
    for s in range(systems):
        base = scores[s, 0]
        for r in range(width):
            value = scores[s, r]
            shared[r] += value - base
            value = abs(value)
            size = value if value >= size else size
    for r in range(width):
        shared[r] /= systems
    for s in range(systems):
        base = scores[s, 0]
        for r in range(width):
            value = abs(scores[s, r] - base - shared[r])
            unit = value if value >= unit else unit
    ranges[systems, 0] = unit
    if unit <= size * 1e-12:  # nothing but rounding, and not to be divided by
        return 1e30
    inverse = 1.0 / unit
    for s in range(systems):
        base = scores[s, 0]
        low = 2.0
        high = -2.0
        for r in range(width):
            value = (scores[s, r] - base - shared[r]) * inverse
            near[s, r] = value
            low = value if value <= low else low
            high = value if value >= high else high
        ranges[s, 0] = base
        ranges[s, 1] = low
        ranges[s, 2] = high
    # Roundings to single precision come to 2^-22, and those of sums of scores in double precision to 2^-48 of the
    # largest score: twice and eight times as much, so that no one has to count them too closely.
    return 2.0**-21 + 2.0**-45 * size / unit


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reaching(
    scores: cython.const[cython.double][:, ::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    centre: cython.double,
    limit: cython.double,
    factor: cython.double,
) -> cython.longlong:
    """Count how often a pair's deviation reaches its limit, from the scores themselves."""
    r: cython.Py_ssize_t
    value: cython.double
    found: cython.longlong = 0
    for r in range(scores.shape[1]):
        value = abs((scores[b, r] - scores[a, r] - centre) * factor)
        found += value >= limit
    return found


@cython.ccall
def count_pairs(
    scores: cython.const[cython.double][:, ::1],
    firsts: cython.const[cython.longlong][::1],
    seconds: cython.const[cython.longlong][::1],
    centres: cython.const[cython.double][::1],
    limits: cython.const[cython.double][::1],
    factor: cython.double,
    near: cython.float[:, ::1],
    ranges: cython.double[:, ::1],
    shared: cython.double[::1],
    counts: cython.longlong[::1],
) -> cython.void:
    """Add to ``counts`` how often a pair's deviation reaches its limit, on either side.

    A deviation is the difference, second less first, less its centre, times the factor. Work space: ``near``
    (systems + 1, resamples), ``ranges`` (systems + 1, 3), ``shared`` (resamples,).
    """
    i: cython.Py_ssize_t
    r: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    width: cython.Py_ssize_t = scores.shape[1]
    systems: cython.Py_ssize_t = scores.shape[0]
    known: cython.bint
    inverse: cython.double
    scale: cython.double
    error: cython.double
    doubt: cython.double
    shift: cython.double
    limit: cython.double
    low: cython.float
    high: cython.float
    moved: cython.float
    value: cython.float
    surely: cython.int
    perhaps: cython.int
    with cython.nogil:
        error = _look_near(scores, near, ranges, shared)
        known = error < 1e-3 and factor > 0.0
        inverse = 1.0 / ranges[systems, 0] if known else 0.0
        scale = inverse / factor if known else 0.0
        for i in range(firsts.shape[0]):
            a = firsts[i]
            b = seconds[i]
            if known:
                shift = (ranges[b, 0] - ranges[a, 0] - centres[i]) * inverse
                limit = limits[i] * scale
                # Errors grow with what is added and compared.
                doubt = error * (1.0 + abs(shift) + abs(limit))
                if ranges[b, 2] - ranges[a, 1] + shift < limit - doubt:
                    if ranges[a, 2] - ranges[b, 1] - shift < limit - doubt:
                        continue
                if abs(shift) < 1e6 and abs(limit) < 1e6:
                    low = limit - doubt
                    high = limit + doubt
                    moved = shift
                    surely = 0
                    perhaps = 0
                    for r in range(width):
                        value = abs(near[b, r] - near[a, r] + moved)
                        surely += value >= high
                        perhaps += value >= low
                    if surely == perhaps:
                        counts[i] += surely
                        continue
            counts[i] += _reaching(scores, a, b, centres[i], limits[i], factor)


@cython.ccall
def count_above(
    scores: cython.const[cython.double][:, ::1],
    firsts: cython.const[cython.longlong][::1],
    seconds: cython.const[cython.longlong][::1],
    centres: cython.const[cython.double][::1],
    limits: cython.const[cython.double][::1],
    factor: cython.double,
    counts: cython.longlong[::1],
) -> cython.void:
    """Add to ``counts`` how often a pair's deviation reaches its limit, on the upper side alone."""
    i: cython.Py_ssize_t
    r: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    width: cython.Py_ssize_t = scores.shape[1]
    centre: cython.double
    limit: cython.double
    value: cython.double
    found: cython.longlong
    with cython.nogil:
        for i in range(firsts.shape[0]):
            a = firsts[i]
            b = seconds[i]
            centre = centres[i]
            limit = limits[i]
            found = 0
            for r in range(width):
                value = (scores[b, r] - scores[a, r] - centre) * factor
                found += value >= limit
            counts[i] += found


@cython.ccall
def square_sums(
    scores: cython.const[cython.double][:, ::1],
    firsts: cython.const[cython.longlong][::1],
    seconds: cython.const[cython.longlong][::1],
    centres: cython.const[cython.double][::1],
    factor: cython.double,
    squares: cython.double[::1],
) -> cython.void:
    """Add to ``squares`` the sum of the squares of a pair's deviations."""
    i: cython.Py_ssize_t
    r: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    width: cython.Py_ssize_t = scores.shape[1]
    whole: cython.Py_ssize_t = width - width % 4
    centre: cython.double
    v0: cython.double
    v1: cython.double
    v2: cython.double
    v3: cython.double
    sum0: cython.double
    sum1: cython.double
    sum2: cython.double
    sum3: cython.double
    with cython.nogil:
        for i in range(firsts.shape[0]):
            a = firsts[i]
            b = seconds[i]
            centre = centres[i]
            sum0 = sum1 = sum2 = sum3 = 0.0
            for r in range(0, whole, 4):
                v0 = (scores[b, r] - scores[a, r] - centre) * factor
                v1 = (scores[b, r + 1] - scores[a, r + 1] - centre) * factor
                v2 = (scores[b, r + 2] - scores[a, r + 2] - centre) * factor
                v3 = (scores[b, r + 3] - scores[a, r + 3] - centre) * factor
                sum0 += v0 * v0
                sum1 += v1 * v1
                sum2 += v2 * v2
                sum3 += v3 * v3
            for r in range(whole, width):
                v0 = (scores[b, r] - scores[a, r] - centre) * factor
                sum0 += v0 * v0
            squares[i] += (sum0 + sum1) + (sum2 + sum3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _may_rise(
    near: cython.float[:, ::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    start: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    shift: cython.float,
    doubt: cython.float,
    scale: cython.float,
    limit: cython.float,
) -> cython.bint:
    """Return whether a pair's deviation may reach its limit and be the largest so far, in one resample at least.

    The last row of ``near`` has the largest so far, rounded down.
    """
    r: cython.Py_ssize_t
    last: cython.Py_ssize_t = near.shape[0] - 1
    value: cython.float
    bar: cython.float
    found: cython.int = 0
    for r in range(start, stop):
        value = abs(near[b, r] - near[a, r] + shift)
        value = (value + doubt) * scale
        bar = near[last, r]
        bar = bar if bar >= limit else limit
        found |= value >= bar
    return found != 0


@cython.ccall
def count_maxima(
    scores: cython.const[cython.double][:, ::1],
    firsts: cython.const[cython.longlong][::1],
    seconds: cython.const[cython.longlong][::1],
    centres: cython.const[cython.double][::1],
    scales: cython.const[cython.double][::1],
    observed: cython.const[cython.double][::1],
    near: cython.float[:, ::1],
    ranges: cython.double[:, ::1],
    shared: cython.double[::1],
    highest: cython.double[::1],
    reached: cython.longlong[::1],
    changes: cython.longlong[::1],
    counts: cython.longlong[::1],
) -> cython.void:
    """Add to ``counts`` how often the largest standardised deviation so far reaches that observed of a pair.

    Pairs come from the least extreme to the most, so that the largest so far is over the pair itself and all that are
    less extreme: the step-down of Westfall and Young. As ``observed`` never falls, a deviation that is the largest so
    far, and reaches its own pair's, counts for this and the following pairs up to the last one that it reaches; all
    others count for nothing. There are few of them in a resample.

    Work space: ``near`` (systems + 1, resamples), ``ranges`` (systems + 1, 3), ``shared``, ``highest`` and ``reached``
    (resamples,), ``changes`` (pairs + 1,).
    """
    i: cython.Py_ssize_t
    r: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    part: cython.Py_ssize_t
    least: cython.Py_ssize_t
    most: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    beyond: cython.Py_ssize_t
    pairs: cython.Py_ssize_t = firsts.shape[0]
    width: cython.Py_ssize_t = scores.shape[1]
    systems: cython.Py_ssize_t = scores.shape[0]
    unit: cython.double
    inverse: cython.double
    error: cython.double
    doubt: cython.double
    shift: cython.double
    scale: cython.double
    limit: cython.double
    value: cython.double
    known: cython.bint
    found: cython.longlong = 0
    with cython.nogil:
        for i in range(pairs + 1):
            changes[i] = 0
        error = _look_near(scores, near, ranges, shared)
        unit = ranges[systems, 0]
        inverse = 1.0 / unit if error < 1e-3 else 0.0
        for r in range(width):
            highest[r] = -1.0
            reached[r] = -1
            near[systems, r] = -1.0
        for i in range(pairs):
            a = firsts[i]
            b = seconds[i]
            limit = observed[i]
            shift = doubt = scale = 0.0
            known = False
            if error < 1e-3:
                shift = (ranges[b, 0] - ranges[a, 0] - centres[i]) * inverse
                scale = abs(scales[i]) * unit * (1.0 + 2.0**-20)
                # Errors grow with what is added, and by what they are multiplied.
                doubt = error * (1.0 + abs(shift))
                known = abs(shift) < 1e6 and 1e-20 < scale < 1e20 and abs(limit) < 1e20
            if known:
                limit -= abs(limit) * 2.0**-20
                if (ranges[b, 2] - ranges[a, 1] + shift + doubt) * scale < limit:
                    if (ranges[a, 2] - ranges[b, 1] - shift + doubt) * scale < limit:
                        continue
                if not _may_rise(near, a, b, 0, width, shift, doubt, scale, limit):
                    continue
            for part in range(0, width, 16):
                most = min(part + 16, width)
                if known and not _may_rise(near, a, b, part, most, shift, doubt, scale, limit):
                    continue
                for r in range(part, most):
                    value = abs((scores[b, r] - scores[a, r] - centres[i]) * scales[i])
                    if value < observed[i] or value <= highest[r]:
                        continue
                    highest[r] = value
                    near[systems, r] = min(value * (1.0 - 2.0**-20), 1e30)
                    # The pairs from here on that it reaches, but for those that a lower one has reached before.
                    least = max(i, reached[r] + 1)
                    beyond = pairs
                    if least < pairs and observed[least] <= value:
                        middle = least
                        while beyond - middle > 1:
                            if observed[(middle + beyond) // 2] <= value:
                                middle = (middle + beyond) // 2
                            else:
                                beyond = (middle + beyond) // 2
                        changes[least] += 1
                        changes[middle + 1] -= 1
                        reached[r] = middle
        for i in range(pairs):
            found += changes[i]
            counts[i] += found
