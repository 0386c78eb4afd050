# expects: vmap-in-axes-mismatch at 10
import jax
import jax.numpy as jnp


def predict(params, x):
    return x @ params["w"] + params["b"]


batched = jax.vmap(predict, in_axes=({"w": None}, 0))
print(batched({"w": jnp.ones(2), "b": 0.5}, jnp.ones((5, 2))))
