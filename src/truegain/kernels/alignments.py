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


@cython.ccall
def align(
    begin: cython.Py_ssize_t,
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
    heads: cython.int[::1],
    marks: cython.uchar[::1],
    chain: cython.int[::1],
    firsts: cython.int[::1],
    lasts: cython.int[::1],
    options: cython.int[:, ::1],
    covers: cython.int[:, ::1],
    states: cython.longlong[:, :, ::1],
    masks: cython.ulonglong[:, :, ::1],
    order: cython.longlong[:, ::1],
    history: cython.int[:, :, ::1],
    result: cython.longlong[:, ::1],
) -> cython.Py_ssize_t:
    """Align each reference with the hypothesis of its segment, from pair ``begin`` on; count what is matched.

    Words are numbers; two match exactly where ``forms`` are the same, by stem where ``stems`` are, as synonyms where
    they have one of the ``senses`` in common (sorted, those of word ``w`` from ``sense_offsets[w]`` on). ``modules``
    are the matchers in their order: 0 exact, 1 stem, 2 synonym, 3 paraphrase. ``said_phrases`` and ``wanted_phrases``
    are where phrases of the table stand in the texts: start, length, number; ``forward`` and ``backward`` lead from a
    phrase of the reference, or of the hypothesis, to its paraphrases on the other side.

    A row of ``result``: words of either side, function words of either side; for each module content words of either
    side, function words of either side; chunks, matched words of either side.

    Work space: ``heads``, -1 for each phrase; ``marks``, 4,096 zeros, a sieve before them; ``chain``, the phrases of a
    text; ``firsts`` and ``lasts``, a text; ``options``, six numbers a match; ``covers``, two texts; ``states`` and
    ``masks``, two beams; ``order``, one; ``history``, a beam for each word. Returns the pair for which the options do
    not suffice, or -1.
    """
    pairs: cython.Py_ssize_t = result.shape[0]
    room: cython.Py_ssize_t = options.shape[0]
    width: cython.Py_ssize_t = masks.shape[2]
    stages: cython.Py_ssize_t = modules.shape[0]
    pair: cython.Py_ssize_t
    segment: cython.Py_ssize_t
    stage: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    one: cython.longlong
    two: cython.longlong
    n1: cython.Py_ssize_t
    n2: cython.Py_ssize_t
    s0: cython.longlong
    w0: cython.longlong
    module: cython.int
    a: cython.int
    b: cython.int
    count: cython.Py_ssize_t
    option: cython.Py_ssize_t
    matched: cython.bint
    forced: cython.bint
    clash: cython.bint
    x: cython.longlong
    y: cython.longlong
    z: cython.longlong
    occurrence: cython.longlong
    target: cython.longlong
    start: cython.int
    length: cython.int
    other: cython.int
    live: cython.Py_ssize_t
    kept: cython.Py_ssize_t
    fresh: cython.Py_ssize_t
    rank: cython.Py_ssize_t
    low: cython.Py_ssize_t
    high: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    slot: cython.longlong
    key: cython.longlong
    best: cython.longlong
    chosen: cython.Py_ssize_t
    last: cython.longlong
    until: cython.longlong
    gain: cython.longlong
    distance: cython.longlong
    tried: cython.bint
    unit: cython.ulonglong = 1
    chunk: cython.longlong = 1 << 34  # a key: what is not covered, chunks, distance
    cover: cython.longlong = 1 << 48
    start_key: cython.longlong = 16383 * cover
    base: cython.Py_ssize_t
    with cython.nogil:
        for pair in range(begin, pairs):
            segment = segments[pair]
            s0 = said_offsets[segment]
            w0 = wanted_offsets[pair]
            n1 = said_offsets[segment + 1] - s0
            n2 = wanted_offsets[pair + 1] - w0
            count = 0
            for i in range(n2):
                firsts[i] = -1
                covers[1, i] = 0
            for i in range(n1):
                covers[0, i] = 0
            for stage in range(stages):
                module = modules[stage]
                if module < 3:
                    for i in range(n2):
                        a = wanted[w0 + i]
                        for j in range(n1):
                            b = said[s0 + j]
                            if module == 0:
                                matched = forms[a] == forms[b]
                            elif forms[a] == forms[b]:
                                matched = False
                            elif module == 1:
                                matched = stems[a] == stems[b]
                            else:
                                matched = False
                                x = sense_offsets[a]
                                y = sense_offsets[b]
                                one = sense_offsets[a + 1]
                                two = sense_offsets[b + 1]
                                while x < one and y < two:
                                    if senses[x] < senses[y]:
                                        x += 1
                                    elif senses[x] > senses[y]:
                                        y += 1
                                    else:
                                        matched = True
                                        break
                            if matched:
                                if count == room:
                                    return pair
                                options[count, 0] = j
                                options[count, 1] = 1
                                options[count, 2] = 1
                                options[count, 3] = stage
                                options[count, 4] = -1
                                options[count, 5] = i
                                if firsts[i] < 0:
                                    firsts[i] = count
                                else:
                                    options[lasts[i], 4] = count
                                lasts[i] = count
                                covers[0, j] += 1
                                covers[1, i] += 1
                                count += 1
                    continue
                # Paraphrases of phrases of the reference that the hypothesis has, then the other way round.
                for k in range(2):
                    if k == 0:
                        one = said_phrase_offsets[segment]
                        two = said_phrase_offsets[segment + 1]
                    else:
                        one = wanted_phrase_offsets[pair]
                        two = wanted_phrase_offsets[pair + 1]
                    for occurrence in range(two - 1, one - 1, -1):  # so that chains go from left to right
                        other = said_phrases[occurrence, 2] if k == 0 else wanted_phrases[occurrence, 2]
                        chain[occurrence - one] = heads[other]
                        heads[other] = occurrence - one
                        marks[other & 4095] = 1
                    z = one
                    if k == 0:
                        x = wanted_phrase_offsets[pair]
                        y = wanted_phrase_offsets[pair + 1]
                    else:
                        x = said_phrase_offsets[segment]
                        y = said_phrase_offsets[segment + 1]
                    for occurrence in range(x, y):
                        if k == 0:
                            start = wanted_phrases[occurrence, 0]
                            length = wanted_phrases[occurrence, 1]
                            other = wanted_phrases[occurrence, 2]
                            one = forward_offsets[other]
                            two = forward_offsets[other + 1]
                        else:
                            start = said_phrases[occurrence, 0]
                            length = said_phrases[occurrence, 1]
                            other = said_phrases[occurrence, 2]
                            one = backward_offsets[other]
                            two = backward_offsets[other + 1]
                        for target in range(one, two):
                            other = forward[target] if k == 0 else backward[target]
                            if marks[other & 4095] == 0:
                                continue
                            other = heads[other]
                            while other >= 0:
                                if count == room:
                                    # The next call begins with this pair, and with heads as they were.
                                    one = z
                                    if k == 0:
                                        two = said_phrase_offsets[segment + 1]
                                    else:
                                        two = wanted_phrase_offsets[pair + 1]
                                    for occurrence in range(one, two):
                                        other = said_phrases[occurrence, 2] if k == 0 else wanted_phrases[occurrence, 2]
                                        heads[other] = -1
                                        marks[other & 4095] = 0
                                    return pair
                                if k == 0:
                                    i = start
                                    options[count, 0] = said_phrases[z + other, 0]
                                    options[count, 1] = said_phrases[z + other, 1]
                                    options[count, 2] = length
                                else:
                                    i = wanted_phrases[z + other, 0]
                                    options[count, 0] = start
                                    options[count, 1] = length
                                    options[count, 2] = wanted_phrases[z + other, 1]
                                options[count, 3] = stage
                                options[count, 4] = -1
                                options[count, 5] = i
                                if firsts[i] < 0:
                                    firsts[i] = count
                                else:
                                    options[lasts[i], 4] = count
                                lasts[i] = count
                                for j in range(options[count, 1]):
                                    covers[0, options[count, 0] + j] += 1
                                for j in range(options[count, 2]):
                                    covers[1, i + j] += 1
                                count += 1
                                other = chain[other]
                    one = z
                    if k == 0:
                        two = said_phrase_offsets[segment + 1]
                    else:
                        two = wanted_phrase_offsets[pair + 1]
                    for occurrence in range(one, two):
                        other = said_phrases[occurrence, 2] if k == 0 else wanted_phrases[occurrence, 2]
                        heads[other] = -1
                        marks[other & 4095] = 0
            # A state is its key, the end of its last match in the hypothesis (-1: none is open) and where it goes on.
            states[0, 0, 0] = start_key
            states[0, 0, 1] = -1
            states[0, 0, 2] = 0
            for k in range(width):
                masks[0, 0, k] = 0
            live = 1
            for i in range(n2):
                option = firsts[i]
                forced = False
                if option >= 0 and options[option, 4] < 0:
                    forced = True
                    for j in range(options[option, 1]):
                        if covers[0, options[option, 0] + j] != 1:
                            forced = False
                    for j in range(options[option, 2]):
                        if covers[1, i + j] != 1:
                            forced = False
                if option < 0:
                    tried = False
                    for rank in range(live):
                        if states[0, rank, 1] != -1:
                            tried = True
                            break
                    if not tried:  # no chunk to close, and none goes on: the states stay as they are
                        for rank in range(live):
                            history[i, rank, 0] = rank
                            history[i, rank, 1] = -1
                        continue
                kept = 0
                fresh = 0
                for rank in range(live):
                    key = states[0, rank, 0]
                    last = states[0, rank, 1]
                    until = states[0, rank, 2]
                    distance = 0
                    tried = False
                    option = firsts[i] if until <= i else -1
                    while True:
                        if option >= 0:
                            start = options[option, 0]
                            length = options[option, 1]
                            clash = False
                            for j in range(start, start + length):
                                if (masks[0, rank, j >> 6] >> (j & 63)) & unit:
                                    clash = True
                                    break
                            if clash:
                                option = options[option, 4]
                                continue
                            if modules[options[option, 3]] == 0:
                                gain = 2
                            else:
                                gain = length // 2 + options[option, 2] // 2
                            best = key - gain * cover + distance
                            if last != -1 and last != start:
                                best += chunk
                        elif until > i:  # within a phrase
                            tried = True
                            best = key
                        else:
                            tried = True
                            if forced:
                                break
                            best = key + distance
                            if last != -1:
                                best += chunk
                        if kept < beam or best < order[kept - 1, 0]:
                            low = 0
                            high = kept
                            while low < high:
                                middle = (low + high) // 2
                                if order[middle, 0] <= best:
                                    low = middle + 1
                                else:
                                    high = middle
                            if kept < beam:
                                slot = fresh
                                fresh += 1
                                kept += 1
                            else:
                                slot = order[kept - 1, 1]
                            for j in range(kept - 1, low, -1):
                                order[j, 0] = order[j - 1, 0]
                                order[j, 1] = order[j - 1, 1]
                            order[low, 0] = best
                            order[low, 1] = slot
                            states[1, slot, 0] = best
                            states[1, slot, 3] = rank
                            states[1, slot, 4] = option
                            for k in range(width):
                                masks[1, slot, k] = masks[0, rank, k]
                            if option >= 0:
                                states[1, slot, 1] = start + length
                                states[1, slot, 2] = i + options[option, 2]
                                for j in range(start, start + length):
                                    masks[1, slot, j >> 6] |= unit << (j & 63)
                            elif until > i:
                                states[1, slot, 1] = last
                                states[1, slot, 2] = until
                            else:
                                states[1, slot, 1] = -1
                                states[1, slot, 2] = i + 1
                        if tried:
                            break
                        distance += start - i if start > i else i - start
                        option = options[option, 4]
                live = kept
                for rank in range(live):
                    slot = order[rank, 1]
                    for k in range(3):
                        states[0, rank, k] = states[1, slot, k]
                    history[i, rank, 0] = states[1, slot, 3]
                    history[i, rank, 1] = states[1, slot, 4]
                    for k in range(width):
                        masks[0, rank, k] = masks[1, slot, k]
            chosen = 0
            best = 0
            for rank in range(live):
                key = states[0, rank, 0]
                if states[0, rank, 1] != -1:
                    key += chunk
                if rank == 0 or key < best:
                    best = key
                    chosen = rank
            base = 4 + 4 * stages
            for k in range(result.shape[1]):
                result[pair, k] = 0
            result[pair, 0] = n1
            result[pair, 1] = n2
            for i in range(n1):
                result[pair, 2] += function[said[s0 + i]]
            for i in range(n2):
                result[pair, 3] += function[wanted[w0 + i]]
            result[pair, base] = (best % cover) // chunk
            for i in range(n2 - 1, -1, -1):
                option = history[i, chosen, 1]
                chosen = history[i, chosen, 0]
                if option < 0:
                    continue
                k = 4 + 4 * options[option, 3]
                start = options[option, 0]
                result[pair, base + 1] += options[option, 1]
                result[pair, base + 2] += options[option, 2]
                for j in range(options[option, 1]):
                    result[pair, k + 2 * function[said[s0 + start + j]]] += 1
                for j in range(options[option, 2]):
                    result[pair, k + 1 + 2 * function[wanted[w0 + i + j]]] += 1
    return -1
