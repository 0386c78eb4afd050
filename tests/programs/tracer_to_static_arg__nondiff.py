# expects: tracer-to-static-arg at 22
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def scaled_gradient(x, factor):
    return x


def forward(x, factor):
    return x, None


scaled_gradient.defvjp(forward, lambda factor, _, g: (factor * g,))


@jax.jit
def loss(w, factor):
    return jax.grad(lambda v: jnp.sum(scaled_gradient(v, factor) ** 2))(w)


loss(jnp.ones(2), 0.5)
