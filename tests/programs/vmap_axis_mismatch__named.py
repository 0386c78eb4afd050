# expects: vmap-axis-mismatch at 10
import jax
import jax.numpy as jnp


def predict(w, b, x):
    return w * x + b


batched = jax.vmap(predict, in_axes=(None, 0, 0))
batched(jnp.ones(2), jnp.ones(2), jnp.ones((5, 2)))
