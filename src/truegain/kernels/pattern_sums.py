"""Sums over the units that resamples have drawn, by look-up: what any pattern of counts comes to is added up once."""

# mypy: ignore-errors
# Cython's decorators and C types mean nothing to mypy.

import cython


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
    """Sum statistics over the units drawn, counted by :func:`truegain.kernels.draws.draw_patterns`: (sums, resamples).

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
