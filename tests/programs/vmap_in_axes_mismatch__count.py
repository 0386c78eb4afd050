# expects: vmap-in-axes-mismatch at 10
import jax
import jax.numpy as jnp


def predict(weights, bias, x):
    return x @ weights + bias


batched = jax.vmap(predict, in_axes=(None, 0))
print(batched(jnp.ones(2), 0.5, jnp.ones((5, 2))))
