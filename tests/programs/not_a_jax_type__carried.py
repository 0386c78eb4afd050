# expects: not-a-jax-type at 18
import jax
import jax.numpy as jnp


def euler(field, y):
    return y + 0.1 * field(y)


def settle(field, y, stepper):
    def unfinished(state):
        return state["count"] < 10

    def advance(state):
        new = state["stepper"](field, state["y"])
        return {**state, "y": new, "count": state["count"] + 1}

    return jax.lax.while_loop(unfinished, advance, {"y": y, "count": 0, "stepper": stepper})["y"]


print(settle(lambda y: -y, jnp.ones(2), euler))
