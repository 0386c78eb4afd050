# expects: schedule-for-transformation at 12
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import linen as nn

from flax.training.train_state import TrainState
model = nn.Dense(1)
params = model.init(jax.random.key(0), jnp.ones((1, 2)))["params"]
tx = optax.warmup_cosine_decay_schedule(0.0, 1e-2, 5, 50)
state = TrainState.create(apply_fn=model.apply, params=params, tx=tx)
