# expects: state-for-transformation at 12
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


net = nn.Dense(2)
weights = net.init(jax.random.key(0), jnp.ones((1, 3)))["params"]
tx = optax.adamw(0.1).init(weights)
print(TrainState.create(apply_fn=net.apply, params=weights, tx=tx).step)
