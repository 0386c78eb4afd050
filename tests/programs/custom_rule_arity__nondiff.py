# expects: custom-rule-arity at 18
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def apply(f, x, scale):
    return scale * f(x)


def forward(f, x, scale):
    return apply(f, x, scale), (x, scale)


# The function that is not differentiated is an argument of its own.
def backward(kept, g):
    x, scale = kept
    return scale * jnp.cos(x) * g, jnp.sin(x) * g


apply.defvjp(forward, backward)
print(jax.grad(lambda x: apply(jnp.sin, x, 2.0))(1.0))
