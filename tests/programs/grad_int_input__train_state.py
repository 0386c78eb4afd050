# expects: grad-int-input at 22
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

net = nn.Dense(1)
x = jnp.ones((3, 2))
start = net.init(jax.random.key(0), x)["params"]
learner = TrainState.create(apply_fn=net.apply, params=start, tx=optax.sgd(0.1))


def squares(learner, x):
    weight = sum(jnp.sum(p**2) for p in jax.tree.leaves(learner.params))
    out = learner.apply_fn({"params": learner.params}, x)
    return jnp.mean(out**2) + 0.01 * weight


for _ in range(2):
    slope = jax.grad(squares)(learner, x)
    learner = learner.apply_gradients(grads=slope)
print(squares(learner, x))
