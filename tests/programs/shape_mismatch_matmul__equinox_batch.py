# expects: shape-mismatch-matmul at 20
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Policy(eqx.Module):
    body: eqx.nn.MLP

    def __init__(self, key):
        self.body = eqx.nn.MLP(4, 2, 8, 1, key=key)

    def __call__(self, observation):
        return self.body(observation)


@eqx.filter_jit
def act(policy, observations):
    return policy(observations)


act(Policy(jax.random.key(0)), jnp.ones((16, 4)))
