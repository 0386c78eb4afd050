# expects: mask-times-scores at 11
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Policy(nn.Module):
    @nn.compact
    def __call__(self, observation, action_mask):
        logits = action_mask.astype(jnp.float32) * nn.Dense(3)(observation)
        return nn.softmax(logits)


policy = Policy()
observation, legal = jnp.ones(5), jnp.array([True, False, True])
params = policy.init(jax.random.key(0), observation, legal)
print(policy.apply(params, observation, legal).shape)
