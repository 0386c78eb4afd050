# expects: out-of-bounds-clamped at 8
import jax
import jax.numpy as jnp


@jax.jit
def total_by_month(sales, month):
    return jnp.zeros(12).at[month].add(sales)


month = jnp.tile(jnp.arange(1, 13), 3)
print(total_by_month(jnp.ones(36), month))
print(jax.jit(lambda x: x + 1)(1.0))
