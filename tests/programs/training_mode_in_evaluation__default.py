# expects: training-mode-in-evaluation at 31
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training.train_state import TrainState


class Spam(nn.Module):
    @nn.compact
    def __call__(self, words, *, deterministic=False):
        hidden = nn.relu(nn.Dense(16)(words))
        hidden = nn.Dropout(0.3, deterministic=deterministic)(hidden)
        return nn.Dense(1)(hidden)[:, 0]


@jax.jit
def learn(state, words, label, key):
    def loss(params):
        score = state.apply_fn({"params": params}, words, rngs={"dropout": key})
        return optax.sigmoid_binary_cross_entropy(score, label).mean()

    slopes = jax.grad(loss)(state.params)
    return state.apply_gradients(grads=slopes)


def share_right(state, words, label):
    # what the filter would do in use
    key = jax.random.key(7)
    score = state.apply_fn({"params": state.params}, words, rngs={"dropout": key})
    return jnp.mean((score > 0) == label)


model, words = Spam(), jnp.eye(6)
label = jnp.array([1.0, 0.0, 1.0, 0.0, 1.0, 0.0])
weights = model.init(jax.random.key(0), words, deterministic=True)["params"]
state = TrainState.create(apply_fn=model.apply, params=weights, tx=optax.sgd(0.1))
for number in range(3):
    state = learn(state, words, label, jax.random.key(number))
print(share_right(state, words, label))
