# expects: value-one-level-deeper at 9
import jax
import jax.numpy as jnp

variables = {"params": {"Dense_0": {"kernel": jnp.ones((2, 3))}}, "batch_stats": {}}


def norms(weights):
    kernel = weights["Dense_0"]["kernel"]
    return jnp.linalg.norm(kernel, axis=0)


print(jax.jit(norms)(variables))
