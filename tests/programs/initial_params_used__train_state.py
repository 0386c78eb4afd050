# expects: initial-params-used at 22
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

net, x = nn.Dense(1), jnp.ones((4, 2))
weights = net.init(jax.random.key(0), x)
state = TrainState.create(apply_fn=net.apply, params=weights, tx=optax.sgd(0.1))


@jax.jit
def step(state):
    grads = jax.grad(lambda p: jnp.mean((net.apply(p, x) - 1.0) ** 2))(state.params)
    return state.apply_gradients(grads=grads)


for _ in range(20):
    state = step(state)
print(net.apply(weights, x), state.step)
