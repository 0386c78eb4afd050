# expects: unrolled-loop at 8
import jax
import jax.numpy as jnp


@jax.jit
def simulate(x):
    for _ in range(200):
        x = x + 0.1 * jnp.sin(x)
    return x


simulate(1.0)
