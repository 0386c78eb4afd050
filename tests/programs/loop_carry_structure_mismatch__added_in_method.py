# expects: loop-carry-structure-mismatch at 11
import jax
import jax.numpy as jnp


class Walker:
    def reset(self):
        return {"x": jnp.zeros(2), "info": {"speed": jnp.float32(0)}}

    def step(self, state, push):
        info = {**state["info"], "speed": push.sum(), "fell": state["x"].min() < -1}
        return {"x": state["x"] + push, "info": info}


def rollout(env, pushes):
    def body(state, push):
        state = env.step(state, push)
        return state, state["x"]

    return jax.lax.scan(body, env.reset(), pushes)


rollout(Walker(), jnp.ones((4, 2)))
