"""Lists of hypotheses under a linear model: their scores, the best of each list, and how that changes along a line.

Along a direction the score of a hypothesis is a line, and the best of a list follows the upper envelope of its lines
(Och 2003). Products are added up in the order of the features, so that scores are the same on every machine.
"""

# mypy: ignore-errors
# Cython's decorators and C types mean nothing to mypy.

import cython


@cython.ccall
def project(
    features: cython.const[cython.double][:, ::1], weights: cython.const[cython.double][::1], scores: cython.double[::1]
) -> cython.void:
    """Write the product of each row of features with the weights."""
    rows: cython.Py_ssize_t = features.shape[0]
    width: cython.Py_ssize_t = features.shape[1]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    total: cython.double
    with cython.nogil:
        for i in range(rows):
            total = 0.0
            for j in range(width):
                total += features[i, j] * weights[j]
            scores[i] = total


@cython.ccall
def best_of_lists(
    edges: cython.const[cython.longlong][::1], scores: cython.const[cython.double][::1], best: cython.longlong[::1]
) -> cython.void:
    """Write the row with the highest score of each list, of equal ones the first."""
    lists: cython.Py_ssize_t = best.shape[0]
    i: cython.Py_ssize_t
    row: cython.longlong
    found: cython.longlong
    with cython.nogil:
        for i in range(lists):
            found = edges[i]
            for row in range(edges[i] + 1, edges[i + 1]):
                if scores[row] > scores[found]:
                    found = row
            best[i] = found


@cython.ccall
def envelopes(
    edges: cython.const[cython.longlong][::1],
    values: cython.const[cython.double][::1],
    slopes: cython.const[cython.double][::1],
    firsts: cython.longlong[::1],
    points: cython.double[::1],
    before: cython.longlong[::1],
    after: cython.longlong[::1],
) -> cython.longlong:
    """Follow the upper envelope of the lines ``values + x * slopes`` of each list from minus infinity on.

    ``firsts`` gets the row that is best at the far left. Each change is a point x, and the rows before and after it;
    the number of changes is returned. There are at most as many as rows. Of equal lines the first row counts.
    """
    lists: cython.Py_ssize_t = firsts.shape[0]
    i: cython.Py_ssize_t
    row: cython.longlong
    at: cython.longlong
    best: cython.longlong
    changes: cython.longlong = 0
    x: cython.double
    nearest: cython.double
    with cython.nogil:
        for i in range(lists):
            at = edges[i]
            for row in range(edges[i] + 1, edges[i + 1]):
                if slopes[row] < slopes[at] or (slopes[row] == slopes[at] and values[row] > values[at]):
                    at = row
            firsts[i] = at
            while True:
                best = -1
                nearest = 0.0
                for row in range(edges[i], edges[i + 1]):
                    if slopes[row] > slopes[at]:
                        x = (values[at] - values[row]) / (slopes[row] - slopes[at])
                        if (
                            best < 0
                            or x < nearest
                            or (
                                x == nearest
                                and (
                                    slopes[row] > slopes[best]
                                    or (slopes[row] == slopes[best] and values[row] > values[best])
                                )
                            )
                        ):
                            best = row
                            nearest = x
                if best < 0:
                    break
                points[changes] = nearest
                before[changes] = at
                after[changes] = best
                changes += 1
                at = best
    return changes
