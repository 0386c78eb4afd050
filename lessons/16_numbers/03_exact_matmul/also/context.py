"""Asks in a context, and casts the inputs."""

import jax
import jax.numpy as jnp


def exact_matmul(a, b):
    with jax.default_matmul_precision("float32"):
        return a.astype(jnp.float32) @ b.astype(jnp.float32)
