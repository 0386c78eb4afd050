# expects: checkpoint-structure-mismatch at 17
# needs: optax orbax
import tempfile

import jax.numpy as jnp
import optax
import orbax.checkpoint as ocp

weights = {"w": jnp.ones((2, 3))}
folder = tempfile.mkdtemp() + "/last"

with ocp.StandardCheckpointer() as checkpointer:
    checkpointer.save(folder, {"weights": weights, "opt": optax.adam(1e-2).init(weights)})
    checkpointer.wait_until_finished()

    fresh = {"weights": weights, "opt": optax.sgd(1e-2, momentum=0.9).init(weights)}
    resumed = checkpointer.restore(folder, fresh)
    print(resumed["weights"]["w"].shape)
