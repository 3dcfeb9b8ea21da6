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
    order: cython.longlong[::1],
    room: cython.double[:, ::1],
    sums: cython.double[:, :, ::1],
) -> cython.void:
    """Permute series within strata, and sum u P and (u P)², P being the sum of the ``neighbours`` before u.

    ``keys`` has a row per permutation and a key per stratum; stratum h holds the places from ``edges[h]`` to
    ``edges[h + 1]``. All series, the columns of ``series``, are permuted alike, each as by
    :func:`truegain.resampling.generator.shuffled` (Fisher and Yates): from the last place down, each is exchanged with
    one that is not yet settled. The sums take them in this order, so that one pass suffices. ``sums`` is (permutations,
    series, 2); ``order``, as long as a series, and ``room`` (3, series) are work space.
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
    taken: cython.Py_ssize_t
    left: cython.Py_ssize_t
    key: cython.ulonglong
    u: cython.double
    product: cython.double
    with cython.nogil:
        for row in range(keys.shape[0]):
            for one in range(series.shape[1]):
                sums[row, one, 0] = 0.0
                sums[row, one, 1] = 0.0
            for stratum in range(edges.shape[0] - 1):
                first = cython.cast(cython.Py_ssize_t, edges[stratum])
                last = cython.cast(cython.Py_ssize_t, edges[stratum + 1])
                for place in range(first, last):
                    order[place] = place
                for one in range(series.shape[1]):
                    room[0, one] = 0.0
                    room[1, one] = 0.0
                    room[2, one] = 0.0
                key = keys[row, stratum]
                for place in range(last - 1, first - 1, -1):
                    key = (key + golden) & whole
                    other = first + cython.cast(
                        cython.Py_ssize_t,
                        ((_finish(key) & half) * cython.cast(cython.ulonglong, place - first + 1)) >> 32,
                    )
                    taken = cython.cast(cython.Py_ssize_t, order[other])
                    order[other] = order[place]
                    order[place] = taken
                    for one in range(series.shape[1]):
                        u = series[taken, one]
                        product = u * room[0, one]
                        room[1, one] += product
                        room[2, one] += product * product
                    if place + neighbours < last:
                        left = cython.cast(cython.Py_ssize_t, order[place + neighbours])
                        for one in range(series.shape[1]):
                            room[0, one] += series[taken, one] - series[left, one]
                    else:
                        for one in range(series.shape[1]):
                            room[0, one] += series[taken, one]
                for one in range(series.shape[1]):
                    sums[row, one, 0] += room[1, one]
                    sums[row, one, 1] += room[2, one]
