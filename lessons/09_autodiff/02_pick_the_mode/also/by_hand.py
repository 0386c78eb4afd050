"""The passes themselves, mapped over the rows of an identity matrix."""

import jax
import jax.numpy as jnp


def jacobian(f, x):
    answer = jax.eval_shape(f, x)
    if answer.size > x.size:
        columns = jax.vmap(lambda v: jax.jvp(f, (x,), (v,))[1])(jnp.eye(x.size, dtype=x.dtype))
        return columns.T
    _, pull = jax.vjp(f, x)
    (rows,) = jax.vmap(pull)(jnp.eye(answer.size, dtype=answer.dtype))
    return rows
