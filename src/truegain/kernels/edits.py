"""The edits of the translation edit rate: words inserted, deleted or replaced, and blocks of words shifted.

As in tercom (Snover et al. 2006), the best shift is made again and again until none lowers the edit distance, with the
limits of sacreBLEU: shifts of at most 10 words over at most 50, an edit distance that looks at most 25 words away from
the diagonal (the *beam*), and no further shift once 1,000 of them have been tried. What keeps it fast:

* Inside the beam the distances of a row differ by one at most from cell to cell, so a row is two words of 64 bits, one
  for the rises and one for the falls, and the next row takes some twenty operations (Myers 1999, Hyyrö 2003). The
  window of 64 cells moves one column per row, so references of any length fit. Pairs whose lengths differ so much that
  the beam drifts out of such a window take a table of plain numbers.
* A shift swaps two neighbouring blocks of words. The rows before them are those of the words as they stood; the rows
  behind them soon often are, too, and then the rest of the distance is known.
* The shifts are listed before any is tried: if there are too many of them, none is made. The longest are tried first,
  since moving k words saves 2k edits at most, and no order of the words saves more than the bag of words allows.
"""

import cython
import numpy as np

SHIFT_SIZE = cython.declare(cython.int, 10)
SHIFT_DISTANCE = cython.declare(cython.int, 50)
MOST_SHIFTS = cython.declare(cython.int, 1000)
BEAM = cython.declare(cython.int, 25)
INFINITE = cython.declare(cython.int, 1 << 29)


@cython.ccall
def translation_edits(
    hypothesis: cython.const[cython.int][::1],
    hypothesis_offsets: cython.const[cython.longlong][::1],
    reference: cython.const[cython.int][::1],
    reference_offsets: cython.const[cython.longlong][::1],
    groups: cython.const[cython.longlong][::1],
    symbols: cython.Py_ssize_t,
    edits: cython.longlong[::1],
) -> cython.void:
    """Count, for each reference, the edits that turn the hypothesis of its segment into it.

    The references of segment ``i`` are the sequences ``groups[i]`` to ``groups[i + 1]`` of ``reference``. Symbols are
    non-negative and below ``symbols`` in the references; other symbols of a hypothesis match nothing.
    """
    segments: cython.Py_ssize_t = groups.shape[0] - 1
    segment: cython.Py_ssize_t
    one: cython.Py_ssize_t
    begin: cython.longlong
    end: cython.longlong
    search: Search = Search(symbols)
    for segment in range(segments):
        for one in range(groups[segment], groups[segment + 1]):
            search.make_room(
                hypothesis_offsets[segment + 1] - hypothesis_offsets[segment],
                reference_offsets[one + 1] - reference_offsets[one],
            )
    search.allocate()
    with cython.nogil:
        for segment in range(segments):
            begin = hypothesis_offsets[segment]
            end = hypothesis_offsets[segment + 1]
            for one in range(groups[segment], groups[segment + 1]):
                edits[one] = search.edits(
                    hypothesis, begin, end, reference, reference_offsets[one], reference_offsets[one + 1]
                )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _lowest(count: cython.int) -> cython.ulonglong:
    """Set the lowest ``count`` of 64 bits, none for a negative count and all for one above 64."""
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    if count <= 0:
        return 0
    return whole >> (64 - min(count, 64))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _equal(matches: cython.ulonglong, rises: cython.ulonglong, falls: cython.ulonglong) -> cython.ulonglong:
    """Mark the cells that are as great as the one diagonally before them; the addition carries matches along rises."""
    whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    return ((((matches & rises) + rises) & whole) ^ rises) | matches | falls


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _standing(place: cython.int, x: cython.int, y: cython.int, z: cython.int) -> cython.int:
    """Return where the word at ``place`` stood before the blocks [x, y) and [y, z) were swapped."""
    if place < x or place >= z:
        return place
    if place < x + z - y:
        return place + y - x
    return place - (z - y)


@cython.final
@cython.cclass
class Search:
    """Search for the best shifts of one hypothesis towards one reference, with its work space."""

    # The hypothesis as it stands, room to reorder it, and which of its words the alignment leaves wrong.
    words: cython.int[::1]
    spare: cython.int[::1]
    wrong: cython.int[::1]
    # The reference, which of its words are missed, the place each is aligned to, and where the same word comes next.
    wanted: cython.int[::1]
    missed: cython.int[::1]
    aligned: cython.int[::1]
    following: cython.int[::1]
    # The words of the reference are numbered from 0 within the pair; any other word has the number after the last.
    numbers: cython.int[::1]
    first_place: cython.int[::1]
    last_place: cython.int[::1]
    copies: cython.int[::1]
    # Where each word stands in the reference, one bit a place, after 64 zeros.
    places: cython.ulonglong[:, ::1]
    # The beam: the columns lows[i] to highs[i] of row i.
    lows: cython.int[::1]
    highs: cython.int[::1]
    # Rows as bits. In column 0 of this table, bit t of row i is the cell in column i + low + t of the distances; in the
    # others it is the cell to the right, which is in line with the row below.
    # 0: the cell and the one diagonally before it are in the beam; 1: the cell and its left neighbour are in the beam;
    # 2: the cell is right of the beam; 3: it is left of the beam, or its first; 4: it is greater by one than its left
    # neighbour (it rises); 5: it is less by one (it falls). Cells left of the beam fall and those right of it rise, so
    # that no path through them is better than one inside.
    rows: cython.ulonglong[:, ::1]
    # The distances on the diagonal that ends in the last cell: they never fall, so each bounds the distance from below.
    costs: cython.int[::1]
    # Rows as numbers, and those of a shift being tried: cell j of row i is at i * width + j - lows[i].
    cells: cython.int[::1]
    trial: cython.int[::1]
    # The shifts worth trying, by their size: the first word and the place it would go to.
    shifts: cython.int[:, :, ::1]
    counts: cython.int[::1]
    reached: cython.int[::1]

    hypothesis_length: cython.int
    reference_length: cython.int
    fewest: cython.int  # the edits that the bag of words makes unavoidable
    windowed: cython.bint
    low: cython.int  # the lowest diagonal of the window
    end: cython.int  # the bit of the diagonal that ends in the last cell
    width: cython.int
    tried: cython.int

    symbols: cython.longlong
    longest_hypothesis: cython.longlong
    longest_reference: cython.longlong
    most_cells: cython.longlong

    def __init__(self, symbols: cython.longlong):
        self.symbols = symbols
        self.longest_hypothesis = 0
        self.longest_reference = 0
        self.most_cells = 0

    @cython.cfunc
    def make_room(self, hypothesis_length: cython.longlong, reference_length: cython.longlong) -> cython.void:
        """Remember the sizes that a pair of these lengths needs."""
        self.longest_hypothesis = max(self.longest_hypothesis, hypothesis_length)
        self.longest_reference = max(self.longest_reference, reference_length)
        if hypothesis_length > 0 and reference_length > 0:
            self._measure(cython.cast(cython.int, hypothesis_length), cython.cast(cython.int, reference_length))
            if not self.windowed:
                self.most_cells = max(self.most_cells, (hypothesis_length + 1) * self.width)

    @cython.cfunc
    def allocate(self) -> cython.void:
        """Allocate space for the largest pair."""
        said: cython.Py_ssize_t = self.longest_hypothesis + 1
        wanted: cython.Py_ssize_t = self.longest_reference + 1
        self.words = memoryview(np.empty(said, np.int32))
        self.spare = memoryview(np.empty(said, np.int32))
        self.wrong = memoryview(np.empty(said, np.int32))
        self.lows = memoryview(np.empty(said, np.int32))
        self.highs = memoryview(np.empty(said, np.int32))
        self.costs = memoryview(np.empty(said, np.int32))
        self.rows = memoryview(np.empty((said, 6), np.uint64))
        self.wanted = memoryview(np.empty(wanted, np.int32))
        self.missed = memoryview(np.empty(wanted, np.int32))
        self.aligned = memoryview(np.empty(wanted, np.int32))
        self.following = memoryview(np.empty(wanted, np.int32))
        self.first_place = memoryview(np.empty(wanted, np.int32))
        self.last_place = memoryview(np.empty(wanted, np.int32))
        self.copies = memoryview(np.empty(wanted, np.int32))
        self.places = memoryview(np.empty((wanted, (wanted + 126) // 64 + 2), np.uint64))
        self.numbers = memoryview(np.zeros(self.symbols + 1, np.int32))
        self.cells = memoryview(np.empty(self.most_cells + 1, np.int32))
        self.trial = memoryview(np.empty(self.most_cells + 1, np.int32))
        self.shifts = memoryview(np.empty((SHIFT_SIZE, MOST_SHIFTS + SHIFT_SIZE + 1, 2), np.int32))
        self.counts = memoryview(np.empty(SHIFT_SIZE, np.int32))
        self.reached = memoryview(np.empty(SHIFT_SIZE, np.int32))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def edits(
        self,
        hypothesis: cython.const[cython.int][::1],
        begin: cython.longlong,
        end: cython.longlong,
        reference: cython.const[cython.int][::1],
        reference_begin: cython.longlong,
        reference_end: cython.longlong,
    ) -> cython.longlong:
        """Count the shifts made and the edits that remain."""
        made: cython.longlong = 0
        cost: cython.int
        changed: cython.int
        if begin == end or reference_begin == reference_end:
            return (end - begin) + (reference_end - reference_begin)
        self._measure(cython.cast(cython.int, end - begin), cython.cast(cython.int, reference_end - reference_begin))
        self._number(hypothesis, begin, reference, reference_begin)
        self._lay_beam()
        self.tried = 0
        cost = self._fill(0)
        while cost > self.fewest:
            self._align()
            self._list_shifts()
            if self.tried >= MOST_SHIFTS:
                break
            changed = self._make_best_shift(cost)
            if changed < 0:
                break
            made += 1
            cost = self._fill(changed)
        return made + cost

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _measure(self, hypothesis_length: cython.int, reference_length: cython.int) -> cython.void:
        """Take the lengths and decide how the rows are kept."""
        difference: cython.int = reference_length - hypothesis_length
        low: cython.int = max(min(0, difference) - BEAM - 1, -hypothesis_length)
        high: cython.int = min(max(0, difference) + BEAM, reference_length)
        self.hypothesis_length = hypothesis_length
        self.reference_length = reference_length
        # The diagonals of the beam must fit into 63 bits, and the one that ends in the last cell must be among them.
        self.windowed = high - low <= 62 and abs(difference) < BEAM - 1
        self.low = low
        self.end = difference - low
        self.width = min(2 * self._beam_width() + 1, reference_length + 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _beam_width(self) -> cython.int:
        """Give half the width of the beam: more than usual if rows would otherwise not overlap."""
        ratio: cython.double = cython.cast(cython.double, self.reference_length) / self.hypothesis_length
        exact: cython.double = ratio / 2 + BEAM
        rounded: cython.int = cython.cast(cython.int, exact)
        if BEAM >= ratio / 2:
            return BEAM
        return rounded + (rounded < exact)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _number(
        self,
        hypothesis: cython.const[cython.int][::1],
        begin: cython.longlong,
        reference: cython.const[cython.int][::1],
        reference_begin: cython.longlong,
    ) -> cython.void:
        """Give the words numbers within the pair, find their places in the reference, and compare the bags of words."""
        distinct: cython.int = 0
        shared: cython.int = 0
        blocks: cython.int = (self.reference_length + 126) // 64 + 2
        one: cython.ulonglong = 1
        place: cython.int
        number: cython.int
        symbol: cython.int
        block: cython.int
        for place in range(self.reference_length):
            symbol = reference[reference_begin + place]
            number = self.numbers[symbol] - 1
            if number < 0:
                number = distinct
                distinct += 1
                self.numbers[symbol] = distinct
                self.first_place[number] = place
                self.copies[number] = 0
                for block in range(blocks):
                    self.places[number, block] = 0
            else:
                self.following[self.last_place[number]] = place
            self.wanted[place] = number
            self.following[place] = -1
            self.last_place[number] = place
            self.copies[number] += 1
            self.places[number, (place + 64) >> 6] |= one << (place & 63)
        for block in range(blocks):
            self.places[distinct, block] = 0
        self.first_place[distinct] = -1
        for place in range(self.hypothesis_length):
            symbol = hypothesis[begin + place]
            number = self.numbers[symbol] - 1 if 0 <= symbol < self.symbols else -1
            if number < 0:
                number = distinct
            elif self.copies[number] > 0:
                self.copies[number] -= 1
                shared += 1
            self.words[place] = number
        for place in range(self.reference_length):
            self.numbers[reference[reference_begin + place]] = 0
        self.fewest = max(self.hypothesis_length, self.reference_length) - shared

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lay_beam(self) -> cython.void:
        """Find the columns of each row that are in the beam, and set the first of the rows as bits."""
        ratio: cython.double = cython.cast(cython.double, self.reference_length) / self.hypothesis_length
        width: cython.int = self._beam_width()
        whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        inside: cython.ulonglong
        before: cython.ulonglong = whole ^ _lowest(-self.low)
        row: cython.int
        diagonal: cython.int
        first: cython.int
        last: cython.int
        self.lows[0] = 0
        self.highs[0] = self.reference_length + 1
        for row in range(1, self.hypothesis_length + 1):
            diagonal = cython.cast(cython.int, row * ratio)
            self.lows[row] = max(0, diagonal - width)
            self.highs[row] = min(self.reference_length + 1, diagonal + width)
            if row == self.hypothesis_length:
                self.highs[row] = self.reference_length + 1
            if self.windowed:
                first = self.lows[row] - row - self.low
                last = self.highs[row] - row - self.low - 1
                inside = _lowest(last + 1) ^ _lowest(first)
                self.rows[row, 0] = inside & before
                self.rows[row, 1] = _lowest(last) & (whole ^ _lowest(first))
                self.rows[row, 2] = whole ^ _lowest(last)
                self.rows[row, 3] = _lowest(first)
                before = inside
        self.rows[0, 4] = whole ^ _lowest(-self.low)
        self.rows[0, 5] = _lowest(-self.low)
        self.costs[0] = abs(self.reference_length - self.hypothesis_length)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fill(self, row: cython.int) -> cython.int:
        """Compute the rows after ``row`` and give the distance."""
        if self.windowed:
            return self._fill_bits(row)
        for row in range(row + 1, self.hypothesis_length + 1):
            self._fill_cells(self.cells, self.cells, row, self.words[row - 1])
        return self._cell(self.cells, self.hypothesis_length, self.reference_length)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _matches(self, row: cython.int, word: cython.int) -> cython.ulonglong:
        """Mark the cells of a row in which ``word`` is the word of the reference, if they can be reached diagonally."""
        start: cython.int = row + self.low + 63
        block: cython.int = start >> 6
        offset: cython.int = start & 63
        whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        upper: cython.ulonglong = (self.places[word, block + 1] << 1) & whole
        return ((self.places[word, block] >> offset) | ((upper << (63 - offset)) & whole)) & self.rows[row, 0]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _next_row(
        self, row: cython.int, word: cython.int, rises: cython.ulonglong, falls: cython.ulonglong
    ) -> tuple[cython.ulonglong, cython.ulonglong, cython.int]:
        """Give the rises and falls of a row from those of the row before, and how much the diagonal's cost grows."""
        whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        matches: cython.ulonglong = self._matches(row, word)
        equal: cython.ulonglong = _equal(matches, rises, falls)
        more: cython.ulonglong = falls | (whole ^ (equal | rises))
        less: cython.ulonglong = equal & rises
        grown: cython.int = 1 - cython.cast(cython.int, (equal >> self.end) & 1)
        equal >>= 1
        rises = ((less | (whole ^ (equal | more))) & self.rows[row, 1]) | self.rows[row, 2]
        falls = ((equal & more) & self.rows[row, 1]) | self.rows[row, 3]
        return rises, falls, grown

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fill_bits(self, row: cython.int) -> cython.int:
        """Compute the rows after ``row`` as bits and give the distance."""
        rises: cython.ulonglong = self.rows[row, 4]
        falls: cython.ulonglong = self.rows[row, 5]
        cost: cython.int = self.costs[row]
        grown: cython.int
        for row in range(row + 1, self.hypothesis_length + 1):
            rises, falls, grown = self._next_row(row, self.words[row - 1], rises, falls)
            cost += grown
            self.rows[row, 4] = rises
            self.rows[row, 5] = falls
            self.costs[row] = cost
        return cost

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cost_by_bits(self, x: cython.int, y: cython.int, z: cython.int, most: cython.int) -> cython.int:
        """Compute :meth:`_cost_of_swap` with rows as bits."""
        rises: cython.ulonglong = self.rows[x, 4]
        falls: cython.ulonglong = self.rows[x, 5]
        cost: cython.int = self.costs[x]
        grown: cython.int
        row: cython.int
        for row in range(x, self.hypothesis_length):
            if cost > most:
                break
            if row >= z and rises == self.rows[row, 4] and falls == self.rows[row, 5]:
                return cost + self.costs[self.hypothesis_length] - self.costs[row]
            rises, falls, grown = self._next_row(row + 1, self.words[_standing(row, x, y, z)], rises, falls)
            cost += grown
        return cost

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _cell(self, cells: cython.int[::1], row: cython.int, column: cython.int) -> cython.int:
        """Give the distance in a cell, infinite outside the beam."""
        if column < self.lows[row] or column >= self.highs[row]:
            return INFINITE
        if row == 0:
            return column
        return cells[row * self.width + column - self.lows[row]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fill_cells(
        self, above: cython.int[::1], cells: cython.int[::1], row: cython.int, word: cython.int
    ) -> cython.int:
        """Compute one row from the row before, which is in ``above``, and give its least distance."""
        least: cython.int = INFINITE
        left: cython.int = INFINITE
        diagonal: cython.int = self._cell(above, row - 1, self.lows[row] - 1)
        up: cython.int
        column: cython.int
        for column in range(self.lows[row], self.highs[row]):
            up = self._cell(above, row - 1, column)
            if column > 0 and self.wanted[column - 1] != word:
                diagonal += 1
            left = min(min(diagonal, left + 1), min(up + 1, INFINITE))
            cells[row * self.width + column - self.lows[row]] = left
            least = min(least, left)
            diagonal = up
        return least

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cost_by_cells(self, x: cython.int, y: cython.int, z: cython.int, most: cython.int) -> cython.int:
        """Compute :meth:`_cost_of_swap` with rows as numbers."""
        row: cython.int
        word: cython.int
        least: cython.int
        for row in range(x, self.hypothesis_length):
            word = self.words[_standing(row, x, y, z)]
            least = self._fill_cells(self.cells if row == x else self.trial, self.trial, row + 1, word)
            if least > most:
                return least
        return self._cell(self.trial, self.hypothesis_length, self.reference_length)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _step_by_bits(self, row: cython.int, column: cython.int) -> cython.int:
        """Return how the best path reaches a cell: 0 diagonally, else 1 from above, else 2 from the left."""
        whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        bit: cython.int = column - row - self.low
        rises: cython.ulonglong = self.rows[row - 1, 4]
        falls: cython.ulonglong = self.rows[row - 1, 5]
        matches: cython.ulonglong = self._matches(row, self.words[row - 1])
        equal: cython.ulonglong = _equal(matches, rises, falls)
        diagonal: cython.ulonglong = (matches | (whole ^ equal)) & self.rows[row, 0]
        above: cython.ulonglong = falls | (whole ^ (equal | rises))
        if (diagonal >> bit) & 1:
            return 0
        return 1 if (above >> bit) & 1 else 2

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _step_by_cells(self, row: cython.int, column: cython.int) -> cython.int:
        """Return what :meth:`_step_by_bits` returns."""
        cost: cython.int = self._cell(self.cells, row, column)
        if column > 0 and cost == self._cell(self.cells, row - 1, column - 1) + (
            self.words[row - 1] != self.wanted[column - 1]
        ):
            return 0
        return 1 if cost == self._cell(self.cells, row - 1, column) + 1 else 2

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _align(self) -> cython.void:
        """Follow the best path backwards: which words are in error, and where each word of the reference belongs."""
        row: cython.int = self.hypothesis_length
        column: cython.int = self.reference_length
        step: cython.int
        error: cython.int
        while row > 0 or column > 0:
            if row == 0:
                step = 2
            elif self.windowed:
                step = self._step_by_bits(row, column)
            else:
                step = self._step_by_cells(row, column)
            if step == 0:
                row -= 1
                column -= 1
                error = self.words[row] != self.wanted[column]
                self.wrong[row] = error
                self.missed[column] = error
                self.aligned[column] = row
            elif step == 1:
                row -= 1
                self.wrong[row] = 1
            else:
                column -= 1
                self.missed[column] = 1
                self.aligned[column] = row - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _list_shifts(self) -> cython.void:
        """List the shifts to try, until there are too many."""
        start: cython.int
        place: cython.int
        size: cython.int
        for size in range(SHIFT_SIZE):
            self.counts[size] = 0
        for start in range(self.hypothesis_length):
            for size in range(SHIFT_SIZE):
                self.reached[size] = -1
            place = self.first_place[self.words[start]]
            while place >= 0:
                if abs(place - start) <= SHIFT_DISTANCE:
                    self._list_shifts_between(start, place)
                    if self.tried >= MOST_SHIFTS:
                        return
                place = self.following[place]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _list_shifts_between(self, start: cython.int, place: cython.int) -> cython.void:
        """List the shifts of words from ``start`` on to the same words that begin at ``place`` of the reference.

        A shift must move some wrong word to where some word is missed, and not into itself. The words go behind
        the word aligned with the one before ``place``, or behind one aligned with the words that they match.
        """
        longest: cython.int = min(SHIFT_SIZE, min(self.hypothesis_length - start, self.reference_length - place))
        wrong: cython.int = 0
        missed: cython.int = 0
        size: cython.int
        other: cython.int
        target: cython.int
        previous: cython.int
        for size in range(longest):
            if self.words[start + size] != self.wanted[place + size]:
                return
            if start <= self.aligned[place] <= start + size:
                return
            wrong += self.wrong[start + size]
            missed += self.missed[place + size]
            if wrong == 0 or missed == 0:
                continue
            previous = -1
            for other in range(place - 1, place + size + 1):
                target = self.aligned[other] + 1 if other >= 0 else 0
                if target == previous:
                    continue
                previous = target
                self.tried += 1
                # Targets rise with the place, so one not above those already reached has been listed; and a shift to
                # where the words stand changes nothing.
                if target > self.reached[size]:
                    self.reached[size] = target
                    if target != start:
                        self.shifts[size, self.counts[size], 0] = start
                        self.shifts[size, self.counts[size], 1] = target
                        self.counts[size] += 1
            if self.tried >= MOST_SHIFTS:
                return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _make_best_shift(self, cost: cython.int) -> cython.int:
        """Make the shift that saves most, of several the longest, then the leftmost, then the one that goes leftmost.

        Gives the first place that changed, or -1 if no shift saves anything. The shifts are tried in this order of
        preference, so each has to save more than any before.
        """
        length: cython.int = self.hypothesis_length
        # A path that leaves the beam costs at least ``outside``. So the distance without a beam may be less than the
        # cost by ``doubt``, and a shift may save that much, too.
        outside: cython.int = 2 * BEAM - 2 - abs(self.reference_length - length)
        doubt: cython.int = cost - max(self.fewest, min(cost, outside))
        left: cython.int = -1
        middle: cython.int = 0
        right: cython.int = 0
        saved: cython.int = 0
        found: cython.int
        size: cython.int
        one: cython.int
        start: cython.int
        target: cython.int
        x: cython.int
        y: cython.int
        z: cython.int
        for size in range(SHIFT_SIZE, 0, -1):
            for one in range(self.counts[size - 1]):
                start = self.shifts[size - 1, one, 0]
                target = self.shifts[size - 1, one, 1]
                if target < start:
                    x = target
                    y = start
                    z = start + size
                else:
                    x = start
                    y = start + size
                    z = target if target > y else min(length, target + size)
                if min(2 * min(y - x, z - y) + doubt, cost - self.fewest) <= saved:
                    continue
                found = cost - self._cost_of_swap(x, y, z, cost - saved - 1)
                if found > saved:
                    saved = found
                    left = x
                    middle = y
                    right = z
        if left >= 0:
            self._swap(left, middle, right)
        return left

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _swap(self, x: cython.int, y: cython.int, z: cython.int) -> cython.void:
        """Swap the blocks [x, y) and [y, z) of the hypothesis."""
        place: cython.int
        for place in range(x, z):
            self.spare[place] = self.words[_standing(place, x, y, z)]
        for place in range(x, z):
            self.words[place] = self.spare[place]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _cost_of_swap(self, x: cython.int, y: cython.int, z: cython.int, most: cython.int) -> cython.int:
        """Give the distance once [x, y) and [y, z) are swapped, or any number above ``most`` if it is above."""
        if self.windowed:
            return self._cost_by_bits(x, y, z, most)
        return self._cost_by_cells(x, y, z, most)
