# expects: leaked-by-append at 11
import jax
import jax.numpy as jnp


@jax.jit
def fit(w, x):
    kept = []

    def loss(w):
        kept.append(jnp.tanh(x * w))
        return jnp.sum(kept[-1] ** 2)

    slope = jax.grad(loss)(w)
    return slope, kept[0]


fit(0.5, jnp.arange(3.0))
