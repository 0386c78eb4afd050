# expects: lifted-transform-without-rngs at 19
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Cell(nn.Module):
    @nn.compact
    def __call__(self, carry, x):
        carry = nn.tanh(nn.Dense(3)(jnp.concatenate([carry, x])))
        carry = nn.Dropout(0.1, deterministic=False)(carry)
        return carry, carry


class Reader(nn.Module):
    @nn.compact
    def __call__(self, xs):
        cells = nn.scan(Cell, variable_broadcast="params", split_rngs={"params": False})
        return cells()(jnp.zeros(3), xs)[1]


reader, keys = Reader(), {"params": jax.random.key(0), "dropout": jax.random.key(1)}
weights = {"params": {"ScanCell_0": {"Dense_0": {"kernel": jnp.ones((5, 3)), "bias": jnp.ones(3)}}}}
reader.apply(weights, jnp.ones((4, 2)), rngs={"dropout": jax.random.key(2)})
