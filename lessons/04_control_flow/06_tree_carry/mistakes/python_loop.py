# expects: check equations
# says: Your values are right, but each number adds equations to the program. Use one `scan`.
"""Loops in Python."""


def welford(xs):
    mean, m2 = 0.0, 0.0
    for n, x in enumerate(xs, start=1):
        delta = x - mean
        mean = mean + delta / n
        m2 = m2 + delta * (x - mean)
    return {"mean": mean, "var": m2 / len(xs)}
