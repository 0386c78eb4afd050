# expects: numpy-call-on-tracer at 10
"""Uses NumPy's own way to add at repeated indices."""

import jax.numpy as jnp
import numpy as np


def counts(idx, n_bins):
    tally = np.zeros(n_bins, dtype=int)
    np.add.at(tally, idx, 1)
    return jnp.array(tally)
