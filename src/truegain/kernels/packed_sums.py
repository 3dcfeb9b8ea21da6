"""Sums over the units that a resample draws, made as they are drawn: no draw and no count is ever stored.

Several columns of statistics share a 64-bit word, so that one addition serves them all. The draws are those of
:mod:`truegain.kernels.draws`, bit for bit.
"""

# mypy: ignore-errors
# Cython's decorators and C types mean nothing to mypy.

import cython


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _finish(z: cython.ulonglong) -> cython.ulonglong:
    """Finish a word as :mod:`truegain.kernels.draws` does: the loops are as fast only with it inside their own file."""
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    first: cython.ulonglong = 0xBF58476D1CE4E5B9
    second: cython.ulonglong = 0x94D049BB133111EB
    z = ((z ^ (z >> 30)) * first) & whole
    z = ((z ^ (z >> 27)) * second) & whole
    return z ^ (z >> 31)


@cython.ccall
def draw_sums(
    keys: cython.const[cython.ulonglong][::1],
    units: cython.ulonglong,
    values: cython.const[cython.ulonglong][::1],
    part: cython.ulonglong,
    packed: cython.ulonglong[::1],
    sums: cython.longlong[:, ::1],
) -> cython.void:
    """Sum 16-bit statistics, four to a word, over the draws of the bootstrap: (columns, resamples).

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
