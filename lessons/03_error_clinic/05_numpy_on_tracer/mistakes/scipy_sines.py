# expects: scipy-call-on-tracer at 9
"""Uses SciPy's sine of degrees, to be exact at the quarters."""

import jax.numpy as jnp
from scipy.special import cosdg, sindg


def fourier_features(x, freqs):
    return jnp.concatenate([sindg(360 * x[:, None] * freqs), cosdg(360 * x[:, None] * freqs)], 1)
