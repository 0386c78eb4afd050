# expects: scan-carry-weak-type at 12
import jax
import jax.numpy as jnp


def fir(state, s):
    a, b, c = state
    return (s, a, b), a + b + c


def run(x):
    state = (0.0, 0.0, 0.0)
    return jax.lax.scan(fir, state, x)


run(jnp.ones(4, jnp.float16))
