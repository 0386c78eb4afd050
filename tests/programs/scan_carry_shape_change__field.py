# expects: scan-carry-shape-change at 19
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Boat(NamedTuple):
    place: jax.Array
    fuel: jax.Array
    distance: jax.Array


class River:
    current = jnp.array([0.1, 0.0])

    def drift(self, boat, throttle):
        place = boat.place + self.current + throttle
        left = jnp.sum(throttle**2, keepdims=True)
        return Boat(place, boat.fuel - 1.0, left)


def travel(river, boat, throttles):
    def hour(boat, throttle):
        boat = river.drift(boat, throttle)
        return boat, boat.place

    return jax.lax.scan(hour, boat, throttles)


start = Boat(jnp.zeros(2), jnp.array(9.0), jnp.array(0.0))
print(travel(River(), start, jnp.ones((5, 2))))
