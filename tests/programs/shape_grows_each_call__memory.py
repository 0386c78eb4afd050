# expects: shape-grows-each-call at 23
import jax
import jax.numpy as jnp


class Memory:
    def __init__(self):
        self.seen = jnp.zeros((0, 2))

    def store(self, point):
        self.seen = jnp.vstack([self.seen, point])


@jax.jit
def spread(points):
    return jnp.std(points, axis=0).sum()


memory, point = Memory(), jnp.ones(2)
for step in range(8):
    point = 0.5 * point + jnp.array([0.1, -0.2]) * step
    memory.store(point)
    size = spread(memory.seen)
print(size)
