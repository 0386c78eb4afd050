# expects: prng-key-reuse at 17
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Rover(NamedTuple):
    position: jax.Array
    battery: jax.Array
    key: jax.Array = jax.random.PRNGKey(0)


@jax.jit
def reset(key):
    position = jax.random.uniform(key, (2,))
    return Rover(position, jnp.float32(1.0))


@jax.jit
def step(rover):
    key, sub = jax.random.split(rover.key)
    moved = rover.position + 0.1 * jax.random.normal(sub, (2,))
    return Rover(moved, rover.battery - 0.01, key)


rovers = jax.vmap(reset)(jax.random.split(jax.random.PRNGKey(7), 8))
start = rovers.position
for _ in range(5):
    rovers = jax.vmap(step)(rovers)
print(jnp.std(rovers.position - start, axis=0))
