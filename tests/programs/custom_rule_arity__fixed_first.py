# expects: custom-rule-arity at 17
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_vjp, nondiff_argnums=(1, 2))
def clip_gradient(x, low, high):
    return x


def forward(x, low, high):
    return x, None


def backward(residuals, g):
    return (jnp.clip(g, -1.0, 1.0),)


clip_gradient.defvjp(forward, backward)
print(jax.grad(lambda x: clip_gradient(x, -1.0, 1.0) ** 3)(2.0))
