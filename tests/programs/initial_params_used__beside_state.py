# expects: initial-params-used at 23
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

net, x = nn.Dense(1), jnp.ones((4, 2))
variables = net.init(jax.random.key(0), x)
state = TrainState.create(apply_fn=net.apply, params=variables, tx=optax.sgd(0.1))


@jax.jit
def train(state):
    grads = jax.grad(lambda p: jnp.mean(state.apply_fn(p, x) ** 2))(state.params)
    return state.apply_gradients(grads=grads)


@jax.jit
def evaluate(state, x):
    # The state has the trained parameters.
    return jnp.mean(state.apply_fn(variables, x) ** 2)


for _ in range(5):
    state = train(state)
    print(evaluate(state, x))
