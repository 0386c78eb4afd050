# expects: linen-compact-twice at 18
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn


class Agent(nn.Module):
    actions: int

    @nn.compact
    def policy(self, state):
        hidden = nn.LayerNorm()(nn.Dense(8)(state))
        return nn.Dense(self.actions)(hidden)

    @nn.compact
    def value(self, state):
        hidden = nn.Dense(16)(state)
        return nn.Dense(1)(nn.tanh(hidden))[..., 0]

    def __call__(self, state):
        return self.policy(state), self.value(state)


agent = Agent(actions=3)
state = jnp.zeros((4, 5))
print(agent.init_with_output(jax.random.PRNGKey(7), state)[0][1].shape)
