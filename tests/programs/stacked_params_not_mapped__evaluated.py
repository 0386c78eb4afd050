# expects: stacked-params-not-mapped at 42
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import jax_utils
from flax.training import train_state


class Flow(nn.Module):
    @nn.compact
    def __call__(self, t, x):
        inputs = jnp.stack([t, x])
        return nn.Dense(1)(nn.tanh(nn.Dense(16)(inputs)))[0]


model = Flow()
params = model.init(jax.random.key(0), 0.0, 0.0)["params"]
state = train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-3))
state = jax_utils.replicate(state)


def predict(params, t, x):
    return model.apply({"params": params}, t, x)


@jax.pmap
def step(state, t, x):
    def loss(params):
        return jnp.mean(jax.vmap(predict, (None, 0, 0))(params, t, x) ** 2)

    return state.apply_gradients(grads=jax.grad(loss)(state.params))


devices = jax.local_device_count()
t = jnp.ones((devices, 4))
for _ in range(2):
    state = step(state, t, t)

grid = jnp.linspace(0.0, 1.0, 5)
print(jax.vmap(predict, (None, 0, 0))(state.params, grid, grid))
