# expects: nothing
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Rover(NamedTuple):
    position: jax.Array
    key: jax.Array = jax.random.PRNGKey(0)


@jax.jit
def reset(key):
    place_key, state_key = jax.random.split(key)
    return Rover(jax.random.uniform(place_key, (2,)))._replace(key=state_key)


@jax.jit
def step(rover):
    key, sub = jax.random.split(rover.key)
    return Rover(rover.position + 0.1 * jax.random.normal(sub, (2,)), key)


@jax.jit
def finish(key):
    # A key that nothing draws from may be the same for all.
    return {"at": jax.random.uniform(key, (2,)), "key": jax.random.key(0)}


rovers = jax.vmap(reset)(jax.random.split(jax.random.PRNGKey(7), 8))
for _ in range(5):
    rovers = jax.vmap(step)(rovers)
done = jax.vmap(finish)(jax.random.split(jax.random.key(1), 4))
print(jnp.std(rovers.position, axis=0).shape, done["at"].shape)
