# expects: operator-precedence at 6
import jax.numpy as jnp


def ok(age, member):
    return jnp.sum(age >= 18 & member)


ok(jnp.array([17, 20]), jnp.array([1, 1]))
