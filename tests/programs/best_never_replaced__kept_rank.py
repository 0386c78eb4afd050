# expects: best-never-replaced at 23
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Swarm(NamedTuple):
    place: jax.Array
    pull: jax.Array
    record: jax.Array


def cost(place):
    return jnp.sum(place**2 + jnp.sin(3.0 * place), axis=-1)


def standardised(costs):
    return jnp.argsort(jnp.argsort(costs)) / costs.size


def remember(swarm, place, costs):
    is_new = costs.min() <= swarm.record
    return jnp.where(is_new, place[costs.argmin()], swarm.pull), jnp.where(
        is_new, costs.min(), swarm.record
    )


def fly(n, swarm):
    key = jax.random.fold_in(jax.random.key(4), n)
    place = swarm.place + 0.2 * (swarm.pull - swarm.place) + 0.1 * jax.random.normal(key, (16, 3))
    costs = standardised(cost(place)) + 0.5
    return Swarm(place, *remember(swarm, place, costs))


start = Swarm(jnp.ones((16, 3)), jnp.zeros(3), jnp.float32(0.25))
print(jax.lax.fori_loop(0, 100, fly, start).pull)
