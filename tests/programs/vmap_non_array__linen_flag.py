# expects: vmap-non-array at 22
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Member(nn.Module):
    @nn.compact
    def __call__(self, x, is_training):
        x = nn.Dense(2)(x)
        return nn.Dropout(0.5, deterministic=not is_training)(x)


class Members(nn.Module):
    @nn.compact
    def __call__(self, x, is_training=False):
        several = nn.vmap(
            Member,
            variable_axes={"params": 0},
            split_rngs={"params": True, "dropout": True},
            in_axes=0,
        )
        return several()(x, is_training)


net, x = Members(), jnp.ones((3, 4, 5))
print(jax.tree.map(jnp.shape, net.init(jax.random.key(0), x)))
