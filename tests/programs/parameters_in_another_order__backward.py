# expects: parameters-in-another-order at 17
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def scaled(x, factor):
    return x


def scaled_fwd(x, factor):
    return x, None


def scaled_bwd(residuals, factor, g):
    return (factor * g,)


scaled.defvjp(scaled_fwd, scaled_bwd)
print(jax.grad(lambda x: scaled(x, 0.5).sum())(jnp.ones(3)))
