# expects: int-on-tracer at 6
"""Asks for the place as a Python number."""


def replace_at(x, i, v):
    return x.at[int(i)].set(v)
