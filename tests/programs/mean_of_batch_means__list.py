# expects: mean-of-batch-means at 17
import jax
import jax.numpy as jnp


@jax.jit
def negative_log_likelihood(scale, x):
    return jnp.mean(x**2 / (2 * scale**2) + jnp.log(scale))


def chunks(values, size):
    return [values[i : i + size] for i in range(0, len(values), size)]


heights = jnp.linspace(-3.0, 3.0, 41)
losses = [negative_log_likelihood(1.5, part) for part in chunks(heights, 10)]
print(jnp.mean(jnp.array(losses)))
