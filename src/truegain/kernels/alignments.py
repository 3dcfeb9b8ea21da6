"""Alignment of the words of a hypothesis and a reference as METEOR 1.5 finds it.

A beam goes over the words of the reference from left to right. A state either takes one of the matches that begin
here, of those whose words are free, or goes on without. States are ordered by what they cover, then by chunks, then by
a distance, and ties stay in the order in which they came up. Four things are as they are found to be in the program,
not as they are in the papers:

- an exact match counts 2, another one half the length of either side, rounded down: nothing for single words;
- a chunk counts from its end on, so the state whose last chunk is open is ahead of its equals;
- the distance of a match, between where it begins on either side, is added not to the state that takes it but to what
  is tried after it: matches further down the list, and going on without;
- a match that shares no word with any other is always taken.

Matches that several modules find are as many matches.
"""

import cython
import numpy as np

# The key by which states are ordered: what is not covered, then chunks, then distance, each in bits of its own.
CHUNK = cython.declare(cython.longlong, 1 << 34)
COVER = cython.declare(cython.longlong, 1 << 48)
MOST_COVER = cython.declare(cython.longlong, 16383)
PARAPHRASE = cython.declare(cython.int, 3)
SIEVE = cython.declare(cython.int, 4095)


@cython.ccall
def align(
    beam: cython.Py_ssize_t,
    said: cython.const[cython.int][::1],
    said_offsets: cython.const[cython.longlong][::1],
    wanted: cython.const[cython.int][::1],
    wanted_offsets: cython.const[cython.longlong][::1],
    segments: cython.const[cython.longlong][::1],
    modules: cython.const[cython.int][::1],
    forms: cython.const[cython.int][::1],
    stems: cython.const[cython.int][::1],
    senses: cython.const[cython.int][::1],
    sense_offsets: cython.const[cython.longlong][::1],
    function: cython.const[cython.uchar][::1],
    said_phrases: cython.const[cython.int][:, ::1],
    said_phrase_offsets: cython.const[cython.longlong][::1],
    wanted_phrases: cython.const[cython.int][:, ::1],
    wanted_phrase_offsets: cython.const[cython.longlong][::1],
    forward: cython.const[cython.int][::1],
    forward_offsets: cython.const[cython.longlong][::1],
    backward: cython.const[cython.int][::1],
    backward_offsets: cython.const[cython.longlong][::1],
    room: cython.Py_ssize_t,
    result: cython.longlong[:, ::1],
) -> cython.void:
    """Align each reference with the hypothesis of its segment, and count what is matched.

    Words are numbers; two match exactly if ``forms`` are the same, by stem if ``stems`` are, as synonyms if
    they have one of the ``senses`` in common (sorted, those of word ``w`` from ``sense_offsets[w]`` on). ``modules``
    are the matchers in their order: 0 exact, 1 stem, 2 synonym, 3 paraphrase. ``said_phrases`` and ``wanted_phrases``
    are where phrases of the table stand in the texts: start, length, number; ``forward`` and ``backward`` lead from a
    phrase of the reference, or of the hypothesis, to its paraphrases on the other side. ``room`` is the number of
    matches of a pair for which space is made at first; more is made if needed.

    A row of ``result``: words of either side, function words of either side; for each module content words of either
    side, function words of either side; chunks, matched words of either side.
    """
    pairs: cython.Py_ssize_t = result.shape[0]
    pair: cython.Py_ssize_t = 0
    matches: Matches = Matches()
    search: Search = Search()
    matches.said = said
    matches.wanted = wanted
    matches.modules = modules
    matches.forms = forms
    matches.stems = stems
    matches.senses = senses
    matches.sense_offsets = sense_offsets
    matches.said_phrases = said_phrases
    matches.wanted_phrases = wanted_phrases
    matches.forward = forward
    matches.forward_offsets = forward_offsets
    matches.backward = backward
    matches.backward_offsets = backward_offsets
    matches.allocate(
        room, _longest(said_offsets), _longest(wanted_offsets), _most(said_phrase_offsets, wanted_phrase_offsets)
    )
    search.allocate(beam, _longest(said_offsets), _longest(wanted_offsets))
    while pair < pairs:
        with cython.nogil:
            while pair < pairs:
                matches.begin(
                    said_offsets, wanted_offsets, said_phrase_offsets, wanted_phrase_offsets, segments[pair], pair
                )
                if not matches.find():
                    break
                search.go(matches, function, result, pair)
                pair += 1
        if pair < pairs:  # too many matches: the same pair again, with more room
            matches.make_room(4 * matches.room)


@cython.cfunc
def _longest(offsets: cython.const[cython.longlong][::1]) -> cython.longlong:
    """Give the length of the longest text."""
    longest: cython.longlong = 0
    text: cython.Py_ssize_t
    for text in range(offsets.shape[0] - 1):
        longest = max(longest, offsets[text + 1] - offsets[text])
    return longest


@cython.cfunc
def _most(one: cython.const[cython.longlong][::1], other: cython.const[cython.longlong][::1]) -> cython.longlong:
    """Give the most phrases that a text of either side has."""
    return max(_longest(one), _longest(other))


@cython.final
@cython.cclass
class Matches:
    """All matches between one hypothesis and one reference, and their work space."""

    # What is known of texts and words: see align().
    said: cython.const[cython.int][::1]
    wanted: cython.const[cython.int][::1]
    modules: cython.const[cython.int][::1]
    forms: cython.const[cython.int][::1]
    stems: cython.const[cython.int][::1]
    senses: cython.const[cython.int][::1]
    sense_offsets: cython.const[cython.longlong][::1]
    said_phrases: cython.const[cython.int][:, ::1]
    wanted_phrases: cython.const[cython.int][:, ::1]
    forward: cython.const[cython.int][::1]
    forward_offsets: cython.const[cython.longlong][::1]
    backward: cython.const[cython.int][::1]
    backward_offsets: cython.const[cython.longlong][::1]

    # Of the pair at hand: where its words and its phrases begin, and how many there are.
    said_begin: cython.longlong
    wanted_begin: cython.longlong
    said_length: cython.int
    wanted_length: cython.int
    said_phrase_begin: cython.longlong
    said_phrase_end: cython.longlong
    wanted_phrase_begin: cython.longlong
    wanted_phrase_end: cython.longlong

    # A match: 0 its first word in the hypothesis; 1 its words there; 2 its words in the reference; 3 the place of its
    # module; 4 the next match that begins at the same word of the reference, -1 for none.
    options: cython.int[:, ::1]
    room: cython.Py_ssize_t
    count: cython.int
    # By the word of the reference at which they begin: the first and the last match.
    firsts: cython.int[::1]
    lasts: cython.int[::1]
    # How many matches each word of the hypothesis is in, and each word of the reference.
    said_covers: cython.int[::1]
    wanted_covers: cython.int[::1]
    # The phrases of a text by their numbers: the first place of each, -1 for none, and from place to place the next. A
    # sieve of the numbers comes before: most paraphrases are not in the text, and heads is large.
    heads: cython.int[::1]
    chain: cython.int[::1]
    marks: cython.uchar[::1]

    @cython.cfunc
    def allocate(
        self,
        room: cython.Py_ssize_t,
        said_length: cython.Py_ssize_t,
        wanted_length: cython.Py_ssize_t,
        phrases: cython.Py_ssize_t,
    ) -> cython.void:
        """Allocate space for the longest texts."""
        self.make_room(room)
        self.firsts = memoryview(np.empty(wanted_length + 1, np.int32))
        self.lasts = memoryview(np.empty(wanted_length + 1, np.int32))
        self.said_covers = memoryview(np.empty(said_length + 1, np.int32))
        self.wanted_covers = memoryview(np.empty(wanted_length + 1, np.int32))
        self.heads = memoryview(np.full(self.forward_offsets.shape[0], -1, np.int32))
        self.chain = memoryview(np.empty(phrases + 1, np.int32))
        self.marks = memoryview(np.zeros(SIEVE + 1, np.uint8))

    @cython.cfunc
    def make_room(self, room: cython.Py_ssize_t) -> cython.void:
        """Allocate space for ``room`` matches."""
        self.room = room
        self.options = memoryview(np.empty((room, 5), np.int32))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin(
        self,
        said_offsets: cython.const[cython.longlong][::1],
        wanted_offsets: cython.const[cython.longlong][::1],
        said_phrase_offsets: cython.const[cython.longlong][::1],
        wanted_phrase_offsets: cython.const[cython.longlong][::1],
        segment: cython.longlong,
        pair: cython.Py_ssize_t,
    ) -> cython.void:
        """Turn to a hypothesis and a reference; there are no matches yet."""
        word: cython.Py_ssize_t
        self.said_begin = said_offsets[segment]
        self.wanted_begin = wanted_offsets[pair]
        self.said_length = cython.cast(cython.int, said_offsets[segment + 1] - said_offsets[segment])
        self.wanted_length = cython.cast(cython.int, wanted_offsets[pair + 1] - wanted_offsets[pair])
        self.said_phrase_begin = said_phrase_offsets[segment]
        self.said_phrase_end = said_phrase_offsets[segment + 1]
        self.wanted_phrase_begin = wanted_phrase_offsets[pair]
        self.wanted_phrase_end = wanted_phrase_offsets[pair + 1]
        self.count = 0
        for word in range(self.wanted_length):
            self.firsts[word] = -1
            self.wanted_covers[word] = 0
        for word in range(self.said_length):
            self.said_covers[word] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find(self) -> cython.bint:
        """Find all matches, module by module; return whether there was space for them."""
        stage: cython.int
        stages: cython.int = cython.cast(cython.int, self.modules.shape[0])
        for stage in range(stages):
            if self.modules[stage] == PARAPHRASE:
                # Paraphrases of phrases of the reference that the hypothesis has, then the other way round.
                if not (self._match_phrases(stage, True) and self._match_phrases(stage, False)):
                    return False
            elif not self._match_words(stage, self.modules[stage]):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _match_words(self, stage: cython.int, module: cython.int) -> cython.bint:
        i: cython.int
        j: cython.int
        a: cython.int
        for i in range(self.wanted_length):
            a = self.wanted[self.wanted_begin + i]
            for j in range(self.said_length):
                if self._same(module, a, self.said[self.said_begin + j]) and not self._add(stage, j, 1, i, 1):
                    return False
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _same(self, module: cython.int, a: cython.int, b: cython.int) -> cython.bint:
        """Return whether a module matches two words; what is the same is left to the exact one."""
        if self.forms[a] == self.forms[b]:
            return module == 0
        if module == 0:
            return False
        if module == 1:
            return self.stems[a] == self.stems[b]
        return self._share_a_sense(a, b)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _share_a_sense(self, a: cython.int, b: cython.int) -> cython.bint:
        x: cython.longlong = self.sense_offsets[a]
        y: cython.longlong = self.sense_offsets[b]
        x_end: cython.longlong = self.sense_offsets[a + 1]
        y_end: cython.longlong = self.sense_offsets[b + 1]
        while x < x_end and y < y_end:
            if self.senses[x] < self.senses[y]:
                x += 1
            elif self.senses[x] > self.senses[y]:
                y += 1
            else:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _match_phrases(self, stage: cython.int, forwards: cython.bint) -> cython.bint:
        """Match phrases of the reference with paraphrases in the hypothesis, or, not ``forwards``, the other way."""
        begin: cython.longlong = self.said_phrase_begin if forwards else self.wanted_phrase_begin
        end: cython.longlong = self.said_phrase_end if forwards else self.wanted_phrase_end
        occurrence: cython.longlong
        number: cython.int
        found: cython.bint
        for occurrence in range(end - 1, begin - 1, -1):  # so that chains go from left to right
            number = self.said_phrases[occurrence, 2] if forwards else self.wanted_phrases[occurrence, 2]
            self.chain[occurrence - begin] = self.heads[number]
            self.heads[number] = cython.cast(cython.int, occurrence - begin)
            self.marks[number & SIEVE] = 1
        found = self._follow_paraphrases(stage, forwards)
        for occurrence in range(begin, end):
            number = self.said_phrases[occurrence, 2] if forwards else self.wanted_phrases[occurrence, 2]
            self.heads[number] = -1
            self.marks[number & SIEVE] = 0
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _follow_paraphrases(self, stage: cython.int, forwards: cython.bint) -> cython.bint:
        """Go from the phrases of one side to their paraphrases, and look these up in the chains of the other side."""
        begin: cython.longlong = self.wanted_phrase_begin if forwards else self.said_phrase_begin
        end: cython.longlong = self.wanted_phrase_end if forwards else self.said_phrase_end
        occurrence: cython.longlong
        target: cython.longlong
        first: cython.longlong
        last: cython.longlong
        number: cython.int
        place: cython.int
        added: cython.bint
        for occurrence in range(begin, end):
            if forwards:
                number = self.wanted_phrases[occurrence, 2]
                first = self.forward_offsets[number]
                last = self.forward_offsets[number + 1]
            else:
                number = self.said_phrases[occurrence, 2]
                first = self.backward_offsets[number]
                last = self.backward_offsets[number + 1]
            for target in range(first, last):
                number = self.forward[target] if forwards else self.backward[target]
                if self.marks[number & SIEVE] == 0:
                    continue
                place = self.heads[number]
                while place >= 0:
                    if forwards:
                        added = self._add_phrases(stage, self.said_phrase_begin + place, occurrence)
                    else:
                        added = self._add_phrases(stage, occurrence, self.wanted_phrase_begin + place)
                    if not added:
                        return False
                    place = self.chain[place]
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_phrases(self, stage: cython.int, said: cython.longlong, wanted: cython.longlong) -> cython.bint:
        """Add a match of two phrases, by their places in the lists."""
        return self._add(
            stage,
            self.said_phrases[said, 0],
            self.said_phrases[said, 1],
            self.wanted_phrases[wanted, 0],
            self.wanted_phrases[wanted, 1],
        )

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(
        self,
        stage: cython.int,
        said: cython.int,
        said_length: cython.int,
        wanted: cython.int,
        wanted_length: cython.int,
    ) -> cython.bint:
        """Add a match, after those that begin at the same word of the reference; return whether there was space."""
        one: cython.int = self.count
        word: cython.int
        if one == self.room:
            return False
        self.options[one, 0] = said
        self.options[one, 1] = said_length
        self.options[one, 2] = wanted_length
        self.options[one, 3] = stage
        self.options[one, 4] = -1
        if self.firsts[wanted] < 0:
            self.firsts[wanted] = one
        else:
            self.options[self.lasts[wanted], 4] = one
        self.lasts[wanted] = one
        for word in range(said, said + said_length):
            self.said_covers[word] += 1
        for word in range(wanted, wanted + wanted_length):
            self.wanted_covers[word] += 1
        self.count += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def forced(self, word: cython.int) -> cython.bint:
        """Return whether the one match that begins at a word of the reference shares no word with any other."""
        option: cython.int = self.firsts[word]
        place: cython.int
        if option < 0 or self.options[option, 4] >= 0:
            return False
        for place in range(self.options[option, 0], self.options[option, 0] + self.options[option, 1]):
            if self.said_covers[place] != 1:
                return False
        for place in range(word, word + self.options[option, 2]):
            if self.wanted_covers[place] != 1:
                return False
        return True


@cython.final
@cython.cclass
class Search:
    """The search for the best matches of a pair: a beam of states, word by word of the reference."""

    beam: cython.Py_ssize_t
    width: cython.Py_ssize_t
    # States as they are, in order, and those that come after them: 0 the key; 1 the end of the last match in the
    # hypothesis, -1 where no chunk is open; 2 the word of the reference where it goes on; 3 the state it comes from;
    # 4 the match it took, -1 for none.
    states: cython.longlong[:, ::1]
    after: cython.longlong[:, ::1]
    # The words of the hypothesis that each has taken, one bit a word.
    taken: cython.ulonglong[:, ::1]
    taken_after: cython.ulonglong[:, ::1]
    # The order of those that come after: the key, and which of them it is.
    order: cython.longlong[:, ::1]
    # At each word of the reference, of each state: the state before, and the match it took there.
    history: cython.int[:, :, ::1]
    live: cython.Py_ssize_t
    kept: cython.Py_ssize_t

    @cython.cfunc
    def allocate(
        self, beam: cython.Py_ssize_t, said_length: cython.Py_ssize_t, wanted_length: cython.Py_ssize_t
    ) -> cython.void:
        """Allocate space for the longest texts."""
        self.beam = beam
        self.width = said_length // 64 + 1
        self.states = memoryview(np.empty((beam, 5), np.int64))
        self.after = memoryview(np.empty((beam, 5), np.int64))
        self.taken = memoryview(np.empty((beam, self.width), np.uint64))
        self.taken_after = memoryview(np.empty((beam, self.width), np.uint64))
        self.order = memoryview(np.empty((beam, 2), np.int64))
        self.history = memoryview(np.empty((wanted_length + 1, beam, 2), np.int32))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def go(
        self,
        matches: Matches,
        function: cython.const[cython.uchar][::1],
        result: cython.longlong[:, ::1],
        pair: cython.Py_ssize_t,
    ) -> cython.void:
        """Find the best matches and count what is in them."""
        word: cython.int
        rank: cython.Py_ssize_t
        forced: cython.bint
        self.states[0, 0] = MOST_COVER * COVER
        self.states[0, 1] = -1
        self.states[0, 2] = 0
        for rank in range(self.width):
            self.taken[0, rank] = 0
        self.live = 1
        for word in range(matches.wanted_length):
            if matches.firsts[word] < 0 and not self._any_open():
                # No chunk to close, and no phrase that goes on: the states stay as they are.
                for rank in range(self.live):
                    self.history[word, rank, 0] = cython.cast(cython.int, rank)
                    self.history[word, rank, 1] = -1
                continue
            forced = matches.forced(word)
            self.kept = 0
            for rank in range(self.live):
                self._extend(matches, rank, word, forced)
            self._step(word)
        self._count(matches, function, result, pair)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _any_open(self) -> cython.bint:
        """Return whether any state has an open chunk."""
        rank: cython.Py_ssize_t
        for rank in range(self.live):
            if self.states[rank, 1] != -1:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _extend(self, matches: Matches, rank: cython.Py_ssize_t, word: cython.int, forced: cython.bint) -> cython.void:
        """Offer what may come after a state at a word: each match whose words are free, and going on without."""
        key: cython.longlong = self.states[rank, 0]
        last: cython.longlong = self.states[rank, 1]
        until: cython.longlong = self.states[rank, 2]
        distance: cython.longlong = 0
        option: cython.int
        start: cython.int
        length: cython.int
        gain: cython.longlong
        if until > word:  # within a phrase
            self._offer(matches, rank, -1, key, last, until)
            return
        option = matches.firsts[word]
        while option >= 0:
            start = matches.options[option, 0]
            length = matches.options[option, 1]
            if self._free(rank, start, start + length):
                if matches.modules[matches.options[option, 3]] == 0:
                    gain = 2
                else:
                    gain = length // 2 + matches.options[option, 2] // 2
                self._offer(
                    matches,
                    rank,
                    option,
                    key - gain * COVER + distance + (CHUNK if last != -1 and last != start else 0),
                    start + length,
                    word + matches.options[option, 2],
                )
                distance += abs(start - word)
            option = matches.options[option, 4]
        if not forced:
            self._offer(matches, rank, -1, key + distance + (CHUNK if last != -1 else 0), -1, word + 1)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _free(self, rank: cython.Py_ssize_t, begin: cython.int, end: cython.int) -> cython.bint:
        """Return whether a state has taken none of these words of the hypothesis."""
        unit: cython.ulonglong = 1
        word: cython.int
        for word in range(begin, end):
            if (self.taken[rank, word >> 6] >> (word & 63)) & unit:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _offer(
        self,
        matches: Matches,
        rank: cython.Py_ssize_t,
        option: cython.int,
        key: cython.longlong,
        last: cython.longlong,
        until: cython.longlong,
    ) -> cython.void:
        """Keep a state if it is among the best of the beam; of equals, those that came first are ahead."""
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = self.kept
        middle: cython.Py_ssize_t
        place: cython.Py_ssize_t
        slot: cython.longlong
        unit: cython.ulonglong = 1
        word: cython.int
        if self.kept == self.beam and key >= self.order[self.kept - 1, 0]:
            return
        while low < high:
            middle = (low + high) // 2
            if self.order[middle, 0] <= key:
                low = middle + 1
            else:
                high = middle
        if self.kept < self.beam:
            slot = self.kept
            self.kept += 1
        else:
            slot = self.order[self.kept - 1, 1]
        for place in range(self.kept - 1, low, -1):
            self.order[place, 0] = self.order[place - 1, 0]
            self.order[place, 1] = self.order[place - 1, 1]
        self.order[low, 0] = key
        self.order[low, 1] = slot
        self.after[slot, 0] = key
        self.after[slot, 1] = last
        self.after[slot, 2] = until
        self.after[slot, 3] = rank
        self.after[slot, 4] = option
        for place in range(self.width):
            self.taken_after[slot, place] = self.taken[rank, place]
        if option >= 0:
            for word in range(matches.options[option, 0], matches.options[option, 0] + matches.options[option, 1]):
                self.taken_after[slot, word >> 6] |= unit << (word & 63)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self, word: cython.int) -> cython.void:
        """Go on to the states that were kept, in their order, and remember where they come from."""
        rank: cython.Py_ssize_t
        place: cython.Py_ssize_t
        slot: cython.longlong
        self.live = self.kept
        for rank in range(self.live):
            slot = self.order[rank, 1]
            for place in range(3):
                self.states[rank, place] = self.after[slot, place]
            for place in range(self.width):
                self.taken[rank, place] = self.taken_after[slot, place]
            self.history[word, rank, 0] = cython.cast(cython.int, self.after[slot, 3])
            self.history[word, rank, 1] = cython.cast(cython.int, self.after[slot, 4])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _count(
        self,
        matches: Matches,
        function: cython.const[cython.uchar][::1],
        result: cython.longlong[:, ::1],
        pair: cython.Py_ssize_t,
    ) -> cython.void:
        """Follow the best state back to the first word, and count what it took."""
        base: cython.Py_ssize_t = 4 + 4 * matches.modules.shape[0]
        chosen: cython.Py_ssize_t = 0
        best: cython.longlong = 0
        rank: cython.Py_ssize_t
        column: cython.Py_ssize_t
        key: cython.longlong
        option: cython.int
        start: cython.int
        word: cython.int
        place: cython.int
        for rank in range(self.live):
            key = self.states[rank, 0] + (CHUNK if self.states[rank, 1] != -1 else 0)
            if rank == 0 or key < best:
                best = key
                chosen = rank
        for column in range(result.shape[1]):
            result[pair, column] = 0
        result[pair, 0] = matches.said_length
        result[pair, 1] = matches.wanted_length
        for place in range(matches.said_length):
            result[pair, 2] += function[matches.said[matches.said_begin + place]]
        for place in range(matches.wanted_length):
            result[pair, 3] += function[matches.wanted[matches.wanted_begin + place]]
        result[pair, base] = (best % COVER) // CHUNK
        for word in range(matches.wanted_length - 1, -1, -1):
            option = self.history[word, chosen, 1]
            chosen = self.history[word, chosen, 0]
            if option < 0:
                continue
            column = 4 + 4 * matches.options[option, 3]
            start = matches.options[option, 0]
            result[pair, base + 1] += matches.options[option, 1]
            result[pair, base + 2] += matches.options[option, 2]
            for place in range(start, start + matches.options[option, 1]):
                result[pair, column + 2 * function[matches.said[matches.said_begin + place]]] += 1
            for place in range(word, word + matches.options[option, 2]):
                result[pair, column + 1 + 2 * function[matches.wanted[matches.wanted_begin + place]]] += 1
