# expects: pytree-structure-mismatch at 15
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


def make(scale):
    params = {"w": scale * jnp.ones(3)}
    return TrainState.create(apply_fn=jnp.dot, params=params, tx=optax.adam(1e-3))


states = [make(1.0), make(2.0)]
mean = jax.tree.map(lambda a, b: (a + b) / 2, states[0], states[1])
print(mean.params["w"])
