# expects: wrong-arity at 22
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


model = nn.Dense(3)
x = jnp.ones((8, 5))
params = model.init(jax.random.key(0), x)["params"]
state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))


@jax.jit
def step(state, batch):
    def loss_fn(params):
        return (state.apply_fn({"params": params}, batch) ** 2).mean()

    loss, g = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(g), loss


print(step(state, x)[1])
