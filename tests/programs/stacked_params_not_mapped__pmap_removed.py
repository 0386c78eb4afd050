# expects: stacked-params-not-mapped at 22
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import jax_utils
from flax.training import train_state


class Net(nn.Module):
    @nn.compact
    def __call__(self, ids):
        x = nn.Embed(50, 8)(ids)
        return nn.Dense(2)(x.mean(1))


model = Net()
ids = jnp.ones((4, 6), int)
params = model.init(jax.random.key(0), ids)["params"]
state = train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1))
state = jax_utils.replicate(state, jax.devices()[:1])


@jax.jit
def train_step(state, ids, labels):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, ids)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    grads = jax.grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads)


state = train_step(state, ids, jnp.zeros(4, int))
