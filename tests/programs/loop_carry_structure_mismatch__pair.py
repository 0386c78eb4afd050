# expects: loop-carry-structure-mismatch at 8
import jax
import jax.numpy as jnp


def add(state, price):
    total, days = state
    return total + price, days + 1


prices = jnp.array([3.0, 4.5, 4.0])
print(jax.lax.scan(add, (0.0, 0), prices))
