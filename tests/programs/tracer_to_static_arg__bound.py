# expects: tracer-to-static-arg at 14
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="lags")
def spectrum(signal, damping, lags):
    return jnp.stack([(signal * jnp.roll(signal, n)).mean() * damping**n for n in range(lags)])


def spectra(signals, damping, lags):
    return jax.vmap(partial(spectrum, damping, lags))(signals)


print(spectra(jnp.ones((3, 32)), 0.9, 5))
