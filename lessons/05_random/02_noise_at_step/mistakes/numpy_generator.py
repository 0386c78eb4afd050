# expects: check jaxpr
# says: No call ran: NumPy needs the value of the step, which is traced. Derive a JAX key from
#     `key` and `step`.
"""Seeds a generator of numpy with the step."""

import numpy as np


def noise(key, step, shape):
    return np.random.default_rng(step).normal(size=shape)
