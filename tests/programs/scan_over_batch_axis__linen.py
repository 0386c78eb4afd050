# expects: scan-over-batch-axis at 12
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Tagger(nn.Module):
    @nn.compact
    def __call__(self, texts):
        cell = nn.GRUCell(7)
        steps = nn.scan(
            lambda cell, carry, x: cell(carry, x),
            variable_broadcast="params",
            split_rngs={"params": False},
        )
        carry = jnp.zeros((texts.shape[0], 7))
        carry, states = steps(cell, carry, texts)
        return nn.Dense(2)(states)


texts = jax.random.normal(jax.random.key(0), (4, 9, 3))
print(Tagger().init_with_output(jax.random.key(1), texts)[0].shape)
