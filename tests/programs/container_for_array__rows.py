# expects: container-for-array at 18
import jax
import jax.numpy as jnp


def walk(key, steps):
    place, visited = jnp.zeros(2), []
    for step in jax.random.normal(key, (steps, 2)):
        place = place + 0.1 * step
        visited.append(place)
    return visited


def spread(keys, steps):
    totals = []
    for key in keys:
        visited = walk(key, steps)
        totals.append(jnp.std(visited[:, 0]))
    return jnp.stack(totals)


print(spread(jax.random.split(jax.random.key(0), 2), 5))
