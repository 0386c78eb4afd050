# expects: use-after-donation at 26
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Walker(NamedTuple):
    place: jax.Array
    steps: jax.Array


def start(model):
    return Walker(model["place"], jnp.zeros((), jnp.int32))


@partial(jax.jit, donate_argnums=(0, 1))
def move(model, walker):
    place = walker.place + 1.0
    return {**model, "place": place, "moved": place - model["place"]}, walker._replace(place=place)


model = {"place": jnp.zeros(3), "moved": jnp.zeros(3)}
walker = start(model)
model, walker = move(model, walker)
