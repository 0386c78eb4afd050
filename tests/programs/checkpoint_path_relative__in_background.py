# expects: checkpoint-path-relative at 16
# needs: orbax
import os
import tempfile

import jax.numpy as jnp
import orbax.checkpoint as ocp

os.chdir(tempfile.mkdtemp())

best = {"angle": jnp.zeros(2)}
out = "results/best"


def keep(checkpointer):
    checkpointer.save(out, best, force=True)


checkpointer = ocp.StandardCheckpointer()
keep(checkpointer)
checkpointer.wait_until_finished()
print("kept", checkpointer.restore(out, best))
