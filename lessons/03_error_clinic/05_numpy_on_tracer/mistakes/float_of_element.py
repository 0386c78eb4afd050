# expects: float-on-tracer at 11
"""Takes each time out as a Python float."""

import jax.numpy as jnp
import numpy as np


def fourier_features(x, freqs):
    rows = []
    for i in range(len(x)):
        angles = 2 * np.pi * float(x[i]) * freqs
        rows.append(jnp.concatenate([jnp.sin(angles), jnp.cos(angles)]))
    return jnp.stack(rows)
