# expects: shape-grows-each-call at 14
import jax
import jax.numpy as jnp


def run(steps):
    x = jnp.zeros(2)
    path = []
    spread = 0.0
    for i in range(steps):
        x = x + 0.1 * jax.random.normal(jax.random.fold_in(jax.random.key(0), i), (2,))
        path.append(x)
        # so far
        spread = jnp.stack(path).std()
    return spread


run(40)
