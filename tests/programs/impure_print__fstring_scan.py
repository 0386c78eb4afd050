# expects: impure-print at 8
import jax
import jax.numpy as jnp


def body(c, x):
    c = c + x
    print(f"carry {c}")
    return c, x


jax.lax.scan(body, 0.0, jnp.arange(3.0))
