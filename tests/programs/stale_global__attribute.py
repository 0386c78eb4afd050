# expects: stale-global at 16
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.w = jnp.ones(3)


model = Model()


@jax.jit
def predict(x):
    return x @ model.w


first = predict(jnp.ones(3))
model.w = jnp.zeros(3)
second = predict(jnp.ones(3))
