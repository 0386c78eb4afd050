# expects: float-on-tracer at 6
"""Turns the sum into a Python number, which has 64 bits."""


def mean_f16(x):
    return float(x.sum(dtype="float32")) / x.size
