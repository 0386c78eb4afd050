# expects: train-state-for-params at 12
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class Target:
    def __init__(self, state):
        self.slow = state

    def follow(self, state):
        self.slow = optax.incremental_update(state.params, self.slow, 0.1)


net = nn.Dense(2)
weights = net.init(jax.random.key(0), jnp.ones((1, 3)))["params"]
state = TrainState.create(apply_fn=net.apply, params=weights, tx=optax.sgd(0.1))
target = Target(state)
for _ in range(2):
    target.follow(state)
print(target.slow["bias"])
