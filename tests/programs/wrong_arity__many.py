# expects: wrong-arity at 10
import jax.numpy as jnp


def act(x):
    return jnp.tanh(x)


def f(x):
    return act(x, 2)


f(1.0)
