# expects: result-not-finite at 9
import jax
import jax.numpy as jnp


def group_means(values, groups, number):
    sums = jax.ops.segment_sum(values, groups, number)
    counts = jax.ops.segment_sum(jnp.ones_like(values), groups, number)
    return sums / counts


means = group_means(jnp.array([1.0, 3.0, 5.0]), jnp.array([0, 0, 2]), 3)
print(f"largest mean: {means.max():.2f}")
