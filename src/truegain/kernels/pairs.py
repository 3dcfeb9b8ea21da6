"""All pairs of many systems, counted from the systems' own resampled scores: no difference is ever stored.

Scores stand system by system, so that a pair is two rows and every inner loop runs along resamples. Sums of
fractions are four, added up in one order, so that they are the same however wide the processor's vectors are.
"""

# mypy: ignore-errors
# Cython's decorators and C types mean nothing to mypy.

import cython


@cython.ccall
def count_pairs(
    scores: cython.const[cython.double][:, ::1],
    firsts: cython.const[cython.longlong][::1],
    seconds: cython.const[cython.longlong][::1],
    centres: cython.const[cython.double][::1],
    limits: cython.const[cython.double][::1],
    factor: cython.double,
    counts: cython.longlong[::1],
) -> cython.void:
    """Add to ``counts`` how often a pair's deviation reaches its limit, on either side.

    A deviation is the difference, second less first, less its centre, times the factor.
    """
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
                value = value if value >= 0.0 else -value
                found += value >= limit
            counts[i] += found


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


@cython.ccall
def count_maxima(
    scores: cython.const[cython.double][:, ::1],
    firsts: cython.const[cython.longlong][::1],
    seconds: cython.const[cython.longlong][::1],
    centres: cython.const[cython.double][::1],
    scales: cython.const[cython.double][::1],
    observed: cython.const[cython.double][::1],
    highest: cython.double[::1],
    counts: cython.longlong[::1],
) -> cython.void:
    """Add to ``counts`` how often the largest standardised deviation so far reaches that observed of a pair.

    Pairs come from the least extreme to the most, so that the largest so far is over the pair itself and all that are
    less extreme: the step-down of Westfall and Young. ``highest`` is work space, one value for each resample.
    """
    i: cython.Py_ssize_t
    r: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    width: cython.Py_ssize_t = scores.shape[1]
    centre: cython.double
    scale: cython.double
    limit: cython.double
    value: cython.double
    found: cython.longlong
    with cython.nogil:
        for r in range(width):
            highest[r] = 0.0
        for i in range(firsts.shape[0]):
            a = firsts[i]
            b = seconds[i]
            centre = centres[i]
            scale = scales[i]
            limit = observed[i]
            found = 0
            for r in range(width):
                value = (scores[b, r] - scores[a, r] - centre) * scale
                value = value if value >= 0.0 else -value
                value = highest[r] if highest[r] >= value else value
                highest[r] = value
                found += value >= limit
            counts[i] += found
