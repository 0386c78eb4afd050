# expects: unhashable-static at 11
import jax
import jax.numpy as jnp


def f(x, cfg):
    return x * cfg["scale"]


g = jax.jit(f, static_argnames=["cfg"])
g(jnp.ones(2), cfg={"scale": 2.0})
