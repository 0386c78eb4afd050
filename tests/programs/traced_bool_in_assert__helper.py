# expects: traced-bool-in-assert at 7
import jax
import jax.numpy as jnp


def check_positive(x, name):
    assert x > 0, name
    return x


jax.jit(lambda v: jnp.sqrt(check_positive(v, "v")))(1.0)
