# expects: effect-in-mapped-branch at 11
import jax
import jax.numpy as jnp


def halve(x):
    return 0.5 * x


def warn(x):
    jax.debug.print("large: {}", x)
    return jnp.clip(x, -10.0, 10.0)


def step(kind, x):
    return jax.lax.switch(kind, [halve, warn, jnp.abs], x)


x = jnp.array([1.0, -40.0, 3.0, 90.0])
kinds = jnp.where(jnp.abs(x) > 10.0, 1, jnp.where(x > 2.0, 0, 2))
print(jax.vmap(step)(kinds, x))
