# expects: iterator-as-array at 6
import jax.numpy as jnp


def predict(w, rows):
    return jnp.array(map(lambda row: jnp.tanh(w @ row), rows))


predict(jnp.ones((3, 2)), jnp.ones((5, 2)))
