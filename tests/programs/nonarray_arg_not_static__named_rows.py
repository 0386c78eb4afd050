# expects: nonarray-arg-not-static at 16
import jax
import jax.numpy as jnp


@jax.jit
def distance(origin, town):
    offset = jnp.stack([town["east"], town["north"]]) - origin
    return jnp.sqrt(jnp.sum(offset**2))


towns = [
    {"name": "Ulm", "east": 3.0, "north": 4.0},
    {"name": "Aalen", "east": 6.0, "north": 8.0},
]
print([float(distance(jnp.zeros(2), town)) for town in towns])
