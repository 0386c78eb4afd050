# expects: traced-slice-bounds at 10
import jax
import jax.numpy as jnp


@jax.jit
def averages(layers, history, place):
    def layer(x, weights):
        x = weights @ x
        seen = history[: place + 1]
        return x + seen.mean(), x

    return jax.lax.scan(layer, jnp.ones(3), layers)[1]


print(averages(jnp.ones((2, 3, 3)), jnp.arange(6.0), 2))
