# expects: scan-lengths-differ at 23
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn


class Block(nn.Module):
    features: int

    @nn.compact
    def __call__(self, hidden, mask):
        update = nn.tanh(nn.Dense(self.features)(hidden))
        return hidden + mask[..., None] * update, None


class Stack(nn.Module):
    depth: int
    features: int

    @nn.compact
    def __call__(self, hidden, mask):
        blocks = nn.scan(
            Block,
            variable_axes={"params": 0},
            split_rngs={"params": True},
            length=self.depth,
        )
        hidden, _ = blocks(self.features)(hidden, mask)
        return hidden


def main():
    hidden = jax.random.normal(jax.random.key(1), (4, 7, 16))
    mask = jnp.ones((4, 7))
    model = Stack(depth=3, features=16)
    variables = model.init(jax.random.key(0), hidden, mask)
    print(model.apply(variables, hidden, mask).shape)


main()
