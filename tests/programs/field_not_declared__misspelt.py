# expects: field-not-declared at 14
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Attention(eqx.Module):
    query: jax.Array
    keys: jax.Array

    def __init__(self, width, key):
        self.query = jax.random.normal(key, (width, width))
        self.key = jnp.eye(width)

    def __call__(self, x):
        return jax.nn.softmax(x @ self.query @ (x @ self.key).T)


print(Attention(4, jax.random.key(0))(jnp.ones((2, 4))))
