# expects: result-not-unpacked at 26
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training.train_state import TrainState


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        return jnp.mean((state.apply_fn({"params": params}, x) - y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main(epochs):
    x = jax.random.normal(jax.random.key(0), (16, 3))
    y = x.sum(axis=1, keepdims=True)
    model = nn.Dense(1)
    params = model.init(jax.random.key(1), x)["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1))
    for _ in range(epochs):
        state = train_step(state, x, y)
    print(state.params["kernel"].shape)


main(3)
