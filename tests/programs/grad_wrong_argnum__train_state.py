# expects: grad-wrong-argnum at 22
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


model = nn.Dense(3)
x = jnp.ones((8, 5))
params = model.init(jax.random.key(0), x)
state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))


def loss_fn(batch, params):
    return (model.apply(params, batch) ** 2).mean()


@jax.jit
def step(state, batch):
    grads = jax.grad(loss_fn)(batch, state.params)
    return state.apply_gradients(grads=grads)


print(step(state, x).step)
