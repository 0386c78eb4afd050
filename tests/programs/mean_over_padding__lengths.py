# expects: mean-over-padding at 11
import jax
import jax.numpy as jnp


@jax.jit
def error(slopes, series, lengths):
    steps = jnp.arange(series.shape[1])
    is_measured = steps[None, :] < lengths[:, None]
    squared = (series - slopes[:, None] * steps) ** 2
    return jnp.mean(is_measured * squared)


series = jnp.array([[0.0, 1.0, 2.0, 0.0], [0.0, 3.0, 0.0, 0.0]])
print(error(jnp.ones(2), series, jnp.array([3, 2])))
