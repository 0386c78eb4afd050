# expects: traced-shape-arg at 8
import jax
import jax.numpy as jnp


@jax.jit
def seat_plan(guests, tables):
    seats = jnp.full(guests.sum(), -1)
    return seats.at[:3].set(tables)


print(seat_plan(jnp.array([2, 4]), jnp.arange(3)))
