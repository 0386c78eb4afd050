# expects: leaked-by-closure at 10
import jax
import jax.numpy as jnp


def train(x):
    info = {}

    def loss(w):
        info["err"] = w - x
        return jnp.sum(info["err"] ** 2)

    g = jax.grad(loss)(x)
    return g + info["err"]


train(jnp.ones(2))
