# expects: checkpoint-structure-mismatch at 20
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.serialization import from_bytes, to_bytes
from flax.training.train_state import TrainState


def create(seed):
    net = nn.Dense(2)
    weights = net.init(jax.random.key(seed), jnp.ones((1, 3)))["params"]
    return TrainState.create(apply_fn=net.apply, params=weights, tx=optax.adam(0.1))


state = create(0)
stored = to_bytes(state)
fresh = create(1)
fresh = fresh.replace(params=from_bytes(fresh.params, stored))
print(fresh.params["bias"])
