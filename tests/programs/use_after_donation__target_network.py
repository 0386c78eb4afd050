# expects: use-after-donation at 23
from functools import partial

import jax
import jax.numpy as jnp


class Agent:
    def __init__(self, key):
        weights = jax.random.normal(key, (3,))
        self.state = {"online": {"w": weights}, "target": {"w": weights}}

    @partial(jax.jit, static_argnums=0, donate_argnums=1)
    def learn(self, online, target, x):
        error = x @ online["w"] - x @ target["w"] + 1.0
        new = online["w"] - 0.1 * error * x
        return {"w": new}


agent = Agent(jax.random.key(0))
for step in range(2):
    x = jnp.ones(3)
    agent.state["online"] = agent.learn(agent.state["online"], agent.state["target"], x)
