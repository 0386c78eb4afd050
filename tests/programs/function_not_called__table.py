# expects: function-not-called at 17
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

OPTIMIZERS = {"sgd": optax.sgd, "adam": optax.adam}


def create(tx, params):
    return TrainState.create(apply_fn=jnp.dot, params=params, tx=tx)


def main(name="sgd"):
    params = {"w": jnp.zeros(3)}
    tx = OPTIMIZERS[name]
    state = create(tx, params)
    print(jax.tree.map(jnp.shape, state.params))


main()
