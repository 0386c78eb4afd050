# expects: value-and-grad-not-unpacked at 17
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training.train_state import TrainState

model = nn.Dense(1)
x = jnp.ones((4, 3))
params = model.init(jax.random.key(0), x)
state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(0.1))


@jax.jit
def step(state):
    grads = jax.value_and_grad(lambda p: jnp.mean(state.apply_fn(p, x) ** 2))(state.params)
    return state.apply_gradients(grads=grads)


step(state)
