# expects: float-on-tracer at 12
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self):
        self.history = []

    def loss(self, w):
        l = jnp.sum(w**2)
        self.history.append(float(l))
        return l


jax.grad(Trainer().loss)(jnp.ones(3))
