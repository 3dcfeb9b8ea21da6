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


@cython.ccall
def permuted_products(
    keys: cython.const[cython.ulonglong][:, ::1],
    edges: cython.const[cython.longlong][::1],
    series: cython.const[cython.double][:, ::1],
    neighbours: cython.Py_ssize_t,
    order: cython.double[::1],
    sums: cython.double[:, :, ::1],
) -> cython.void:
    """Permute series within strata, and sum u P and (u P)², P being the sum of the ``neighbours`` before u.

    ``keys`` has a row per permutation and a key per stratum; stratum h holds the places from ``edges[h]`` to
    ``edges[h + 1]``. Each series is permuted as by :func:`truegain.resampling.generator.shuffled` (Fisher and Yates):
    from the last place down, each is exchanged with one that is not yet settled. The sums take them in this order, so
    that one pass suffices. ``sums`` is (permutations, series, 2); ``order``, as long as a series, is work space.
    """
    half: cython.ulonglong = 0xFFFFFFFF
    golden: cython.ulonglong = 0x9E3779B97F4A7C15
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    row: cython.Py_ssize_t
    one: cython.Py_ssize_t
    stratum: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    place: cython.Py_ssize_t
    other: cython.Py_ssize_t
    key: cython.ulonglong
    u: cython.double
    before: cython.double
    product: cython.double
    total: cython.double
    squares: cython.double
    with cython.nogil:
        for row in range(keys.shape[0]):
            for one in range(series.shape[0]):
                sums[row, one, 0] = 0.0
                sums[row, one, 1] = 0.0
                for stratum in range(edges.shape[0] - 1):
                    first = cython.cast(cython.Py_ssize_t, edges[stratum])
                    last = cython.cast(cython.Py_ssize_t, edges[stratum + 1])
                    for place in range(first, last):
                        order[place] = series[one, place]
                    key = keys[row, stratum]
                    before = total = squares = 0.0
                    for place in range(last - 1, first - 1, -1):
                        key = (key + golden) & whole
                        other = first + cython.cast(
                            cython.Py_ssize_t,
                            ((_finish(key) & half) * cython.cast(cython.ulonglong, place - first + 1)) >> 32,
                        )
                        u = order[other]
                        order[other] = order[place]
                        order[place] = u
                        product = u * before
                        total += product
                        squares += product * product
                        before += u - (order[place + neighbours] if place + neighbours < last else 0.0)
                    sums[row, one, 0] += total
                    sums[row, one, 1] += squares
