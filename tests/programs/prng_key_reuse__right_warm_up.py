# expects: nothing
import time

import jax
import jax.numpy as jnp


@jax.jit
def walk(position, key):
    return position + jax.random.normal(key, position.shape)


def simulate(steps, key):
    position = jnp.zeros(3)
    for n in range(steps):
        position = walk(position, jax.random.fold_in(key, n))
    return position


key, noise_key = jax.random.split(jax.random.key(0))
simulate(2, key)
jax.block_until_ready(simulate(3, key))
begun = time.perf_counter()
reached = simulate(20, key).block_until_ready()
walked = time.perf_counter()
jax.random.normal(noise_key, (8,)).block_until_ready()
noise = jax.random.normal(noise_key, (9,))
print(reached.shape, noise.shape, walked > begun)
