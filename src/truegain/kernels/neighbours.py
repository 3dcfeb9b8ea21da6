"""Series in random order: products of each value with the sum of those just before it.

Terms are added up one by one, so that sums are the same on every machine.
:mod:`truegain.inference.dependence` holds the same in vectorised numpy, bit for bit.
"""

# mypy: ignore-errors
# Cython's decorators and C types mean nothing to mypy.

import cython


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _finish(z: cython.ulonglong) -> cython.ulonglong:
    """Finish a word as :mod:`truegain.resampling.generator` does."""
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
def _shuffle(
    key: cython.ulonglong, first: cython.Py_ssize_t, last: cython.Py_ssize_t, order: cython.longlong[::1]
) -> cython.void:
    """Put the places of a stratum in random order, as :func:`truegain.resampling.generator.shuffled` does."""
    half: cython.ulonglong = 0xFFFFFFFF
    golden: cython.ulonglong = 0x9E3779B97F4A7C15
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    place: cython.Py_ssize_t
    other: cython.Py_ssize_t
    taken: cython.longlong
    for place in range(first, last):
        order[place] = place
    for place in range(last - 1, first - 1, -1):
        key = (key + golden) & whole
        other = first + cython.cast(
            cython.Py_ssize_t, ((_finish(key) & half) * cython.cast(cython.ulonglong, place - first + 1)) >> 32
        )
        taken = order[other]
        order[other] = order[place]
        order[place] = taken


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add_many(
    row: cython.Py_ssize_t,
    lane: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    order: cython.longlong[::1],
    series: cython.const[cython.double][:, ::1],
    neighbours: cython.Py_ssize_t,
    sums: cython.double[:, :, ::1],
) -> cython.void:
    """Add the products of 32 series in a stratum to their sums: loops of that length become vector instructions."""
    before: cython.double[32] = [0.0] * 32
    total: cython.double[32] = [0.0] * 32
    squares: cython.double[32] = [0.0] * 32
    place: cython.Py_ssize_t
    taken: cython.Py_ssize_t
    left: cython.Py_ssize_t
    k: cython.Py_ssize_t
    u: cython.double
    product: cython.double
    for place in range(last - 1, first - 1, -1):
        taken = cython.cast(cython.Py_ssize_t, order[place])
        if place + neighbours < last:
            left = cython.cast(cython.Py_ssize_t, order[place + neighbours])
            for k in range(32):
                u = series[taken, lane + k]
                product = u * before[k]
                total[k] += product
                squares[k] += product * product
                before[k] += u - series[left, lane + k]
        else:
            for k in range(32):
                u = series[taken, lane + k]
                product = u * before[k]
                total[k] += product
                squares[k] += product * product
                before[k] += u
    for k in range(32):
        sums[row, lane + k, 0] += total[k]
        sums[row, lane + k, 1] += squares[k]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add_one(
    row: cython.Py_ssize_t,
    lane: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    order: cython.longlong[::1],
    series: cython.const[cython.double][:, ::1],
    neighbours: cython.Py_ssize_t,
    sums: cython.double[:, :, ::1],
) -> cython.void:
    """Add the products of one series in a stratum to its sums."""
    before: cython.double = 0.0
    total: cython.double = 0.0
    squares: cython.double = 0.0
    place: cython.Py_ssize_t
    u: cython.double
    product: cython.double
    for place in range(last - 1, first - 1, -1):
        u = series[cython.cast(cython.Py_ssize_t, order[place]), lane]
        product = u * before
        total += product
        squares += product * product
        if place + neighbours < last:
            before += u - series[cython.cast(cython.Py_ssize_t, order[place + neighbours]), lane]
        else:
            before += u
    sums[row, lane, 0] += total
    sums[row, lane, 1] += squares


@cython.ccall
def permuted_products(
    keys: cython.const[cython.ulonglong][:, ::1],
    edges: cython.const[cython.longlong][::1],
    series: cython.const[cython.double][:, ::1],
    neighbours: cython.Py_ssize_t,
    order: cython.longlong[::1],
    sums: cython.double[:, :, ::1],
) -> cython.void:
    """Permute series within strata, and sum u P and (u P)², P being the sum of the ``neighbours`` before u.

    ``keys`` has a row per permutation and a key per stratum; stratum h holds the places from ``edges[h]`` to
    ``edges[h + 1]``. All series, the columns of ``series``, are permuted alike, each as by Fisher and Yates, and read
    from the last place down. ``sums``, which begin at 0, are (permutations, series, 2); ``order``, as long as a series,
    is work space.
    """
    row: cython.Py_ssize_t
    lane: cython.Py_ssize_t
    stratum: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    with cython.nogil:
        for row in range(keys.shape[0]):
            for stratum in range(edges.shape[0] - 1):
                first = cython.cast(cython.Py_ssize_t, edges[stratum])
                last = cython.cast(cython.Py_ssize_t, edges[stratum + 1])
                _shuffle(keys[row, stratum], first, last, order)
                lane = 0
                while lane + 32 <= series.shape[1]:
                    _add_many(row, lane, first, last, order, series, neighbours, sums)
                    lane += 32
                while lane < series.shape[1]:
                    _add_one(row, lane, first, last, order, series, neighbours, sums)
                    lane += 1
