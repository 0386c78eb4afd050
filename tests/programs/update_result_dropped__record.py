# expects: update-result-dropped at 14
# needs: flax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Agent:
    online: jnp.ndarray
    target: jnp.ndarray


def follow(agent, rate):
    agent.replace(target=(1 - rate) * agent.target + rate * agent.online)
    return agent


agent = Agent(online=jnp.ones(3), target=jnp.zeros(3))
for _ in range(3):
    agent = follow(agent, 0.5)
print(agent.target)
