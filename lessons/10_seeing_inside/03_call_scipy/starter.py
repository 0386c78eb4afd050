"""Call SciPy from compiled code: a function that JAX does not have."""

import scipy.special


def bessel(x):
    """Return the Bessel function K0 of each element of x."""
    # TODO: SciPy needs numbers, and while tracing there are none.
    return scipy.special.k0(x)
