# expects: linen-unbound-module at 14
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training.train_state import TrainState

model = nn.Sequential([nn.Dense(2)])
x = jnp.ones((1, 3))
params = model.init(jax.random.key(0), x)


state = TrainState.create(apply_fn=model, params=params, tx=optax.sgd(0.1))
state.apply_fn(state.params, x)
