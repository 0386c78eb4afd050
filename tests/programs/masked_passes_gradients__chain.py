# expects: masked-passes-gradients at 20
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

model = nn.Sequential([nn.Dense(4), nn.relu, nn.Dense(1)])
x, y = jnp.ones((8, 2)), jnp.zeros((8, 1))
params = model.init(jax.random.key(0), x)


def last_layer(params):
    return jax.tree.map_with_path(lambda path, _: path[1].key == "layers_2", params)


tx = optax.chain(
    optax.clip_by_global_norm(1.0),
    optax.masked(optax.adamw(1e-3), last_layer),
)
state = TrainState.create(apply_fn=model.apply, params=params, tx=tx)
grads = jax.grad(lambda p: jnp.mean((model.apply(p, x) - y) ** 2))(state.params)
state = state.apply_gradients(grads=grads)
print(state.step)
