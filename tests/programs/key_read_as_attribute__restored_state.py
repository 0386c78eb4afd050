# expects: key-read-as-attribute at 22
# needs: flax optax orbax
import pathlib
import tempfile

import jax
import jax.numpy as jnp
import optax
import orbax.checkpoint as ocp
from flax import linen as nn
from flax.training.train_state import TrainState


def create(key):
    model = nn.Dense(2)
    params = model.init(key, jnp.ones((1, 3)))["params"]
    return TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))


@jax.jit
def train_step(state, x):
    grads = jax.grad(lambda p: (state.apply_fn({"params": p}, x) ** 2).sum())(state.params)
    return state.apply_gradients(grads=grads)


def main(folder):
    x = jnp.ones((4, 3))
    state = create(jax.random.key(0))
    with ocp.CheckpointManager(folder) as manager:
        for step in range(3):
            state = train_step(state, x)
        manager.save(3, args=ocp.args.StandardSave(state))
        manager.wait_until_finished()
        state = manager.restore(3, args=ocp.args.StandardRestore())
    state = train_step(state, x)
    print("step", int(state.step))


main(pathlib.Path(tempfile.mkdtemp()) / "run")
