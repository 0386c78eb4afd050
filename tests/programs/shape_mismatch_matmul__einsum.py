# expects: shape-mismatch-matmul at 6
import jax.numpy as jnp


def f(a, b):
    return jnp.einsum("ij,jk->ik", a, b)


f(jnp.ones((2, 3)), jnp.ones((4, 2)))
