# expects: tree-with-collections at 19
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.LayerNorm(name="norm")(nn.Dense(3, name="first")(x))


weights = Net().init(jax.random.key(0), jnp.ones((2, 4)))
is_decayed = {"first": True, "norm": False}
tx = optax.chain(
    optax.scale_by_adam(),
    optax.masked(optax.add_decayed_weights(0.1), is_decayed),
    optax.scale(-0.1),
)
state = tx.init(weights)
