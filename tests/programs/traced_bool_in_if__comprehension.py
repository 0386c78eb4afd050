# expects: traced-bool-in-if at 8
import jax
import jax.numpy as jnp


@jax.jit
def positives(xs):
    return sum([x for x in xs if x > 0])


positives(jnp.arange(3.0))
