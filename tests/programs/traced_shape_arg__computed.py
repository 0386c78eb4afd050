# expects: traced-shape-arg at 9
import jax
import jax.numpy as jnp


@jax.jit
def upsample(x, factor):
    size = x.shape[0] * factor
    return jnp.zeros(size)


upsample(jnp.ones(3), 2)
