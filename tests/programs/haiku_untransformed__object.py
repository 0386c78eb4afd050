# expects: haiku-untransformed at 16
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


class Policy(hk.Module):
    def __call__(self, x):
        x = jnp.tanh(hk.Linear(4)(x))
        return hk.Linear(2)(x)


class Player:
    def __init__(self, seed):
        self.policy = Policy()
        self.params = self.policy.init(jax.random.key(seed), jnp.zeros((1, 3)))

    def act(self, key, observation):
        logits = self.policy.apply(self.params, None, observation)
        return jax.random.categorical(key, logits)


player = Player(0)
print(player.act(jax.random.key(1), jnp.ones((5, 3))).shape)
