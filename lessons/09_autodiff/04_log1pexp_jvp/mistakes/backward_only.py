# expects: check forward
# says: Value and gradient are right, but `jax.jvp` does not work: your rule is one for the
#     backward pass only.
"""Writes a rule for the backward pass, which leaves no forward mode."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


def forward(x):
    return log1pexp(x), x


def backward(x, g):
    return (jax.nn.sigmoid(x) * g,)


log1pexp.defvjp(forward, backward)
