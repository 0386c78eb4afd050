# expects: train-state-for-params at 27
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x)


def create(key):
    net = Net()
    weights = net.init(key, jnp.ones((1, 3)))["params"]
    return TrainState.create(apply_fn=net.apply, params=weights, tx=optax.sgd(0.1))


state = create(jax.random.key(0))
average = jax.tree.map(jnp.copy, state.params)
for _ in range(2):
    grads = jax.grad(lambda p: state.apply_fn({"params": p}, jnp.ones((4, 3))).sum())(state.params)
    state = state.apply_gradients(grads=grads)
    average = optax.incremental_update(state, average, 0.1)
print(average["Dense_0"]["bias"])
