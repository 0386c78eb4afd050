# expects: vmap-axis-mismatch at 17
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Member(nnx.Module):
    def __init__(self, rngs):
        self.out = nnx.Linear(2, 1, rngs=rngs)

    def __call__(self, x):
        return self.out(x)


members = nnx.split_rngs(splits=3)(nnx.vmap(lambda rngs: Member(rngs)))(nnx.Rngs(0))
predict = nnx.vmap(lambda member, x: member(x), in_axes=(0, 0))
print(predict(members, jnp.ones((8, 2))).shape)
