# expects: not-a-jax-type at 16
import jax
import jax.numpy as jnp


class State:
    def __init__(self, pos, vel):
        self.pos, self.vel = pos, vel


@jax.jit
def step(s):
    return s.pos + s.vel


step(State(jnp.ones(3), jnp.ones(3)))
