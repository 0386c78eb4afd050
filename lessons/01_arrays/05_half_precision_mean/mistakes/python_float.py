# expects: float-on-tracer at 6
"""Makes a Python number of the sum, which has 64 bits."""


def mean_f16(x):
    return float(x.sum(dtype="float32")) / x.size
