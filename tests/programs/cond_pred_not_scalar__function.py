# expects: cond-pred-not-scalar at 19
import jax
import jax.numpy as jnp


def is_hot(state):
    level, _ = state
    return level > 80.0


def cool(state):
    level, fans = state
    return 0.5 * level, fans + 1.0


@jax.jit
def run(state, heat):
    state = (state[0] + heat, state[1])
    return jax.lax.cond(is_hot, cool, lambda state: state, state)


print(run((jnp.float32(70.0), jnp.float32(0.0)), 15.0))
