# expects: list-argument at 6
import jax.numpy as jnp


def f(xs):
    return jnp.sum([x * 2 for x in xs])


f([1.0, 2.0])
