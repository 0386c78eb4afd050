# expects: dict-not-spread at 15
import jax
import jax.numpy as jnp

SETTINGS = {"gravity": 9.81, "drag": 0.1}


def fall(state, gravity, drag):
    height, speed = state
    return jnp.array([height + 0.1 * speed, speed - 0.1 * (gravity + drag * speed)])


def simulate(state, steps, settings):
    for _ in range(steps):
        state = fall(state, settings)
    return state


print(jax.jit(simulate, static_argnums=1)(jnp.array([10.0, 0.0]), 3, SETTINGS))
