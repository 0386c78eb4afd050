# expects: not-a-jax-type at 19
import jax
import jax.numpy as jnp


import dataclasses


@dataclasses.dataclass
class Params:
    w: jax.Array
    b: jax.Array


def loss(p):
    return (p.w + p.b).sum()


jax.grad(loss)(Params(jnp.ones(3), jnp.zeros(3)))
