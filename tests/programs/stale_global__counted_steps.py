# expects: stale-global at 15
import jax
import jax.numpy as jnp


class Momentum:
    def __init__(self, rate):
        self.rate = rate
        self.t = 0

    def scale(self):
        return self.rate / (1 - 0.9**self.t)

    def update(self, grads, velocity):
        self.t += 1
        velocity = jax.tree.map(lambda v, g: 0.9 * v + 0.1 * g, velocity, grads)
        return jax.tree.map(lambda v: -self.scale() * v, velocity), velocity


optimizer = Momentum(0.1)


@jax.jit
def step(w, velocity):
    change, velocity = optimizer.update(2.0 * w, velocity)
    return w + change, velocity


w, velocity = jnp.ones(2), jnp.zeros(2)
for _ in range(3):
    w, velocity = step(w, velocity)
