# expects: scipy-call-on-tracer at 8
"""Hands SciPy a tracer."""

import scipy.special


def bessel(x):
    return scipy.special.k0(x)
