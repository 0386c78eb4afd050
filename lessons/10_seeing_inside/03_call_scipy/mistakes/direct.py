# expects: scipy-call-on-tracer at 8
"""Passes a tracer to SciPy."""

import scipy.special


def bessel(x):
    return scipy.special.k0(x)
