# expects: no-checkpoint-yet at 15
# needs: orbax
import tempfile

import jax.numpy as jnp
import orbax.checkpoint as ocp


class Run:
    def __init__(self, folder):
        self.manager = ocp.CheckpointManager(folder)
        self.state = {"m": jnp.ones((2, 2)), "n": jnp.zeros(2)}

    def load(self):
        loaded = self.manager.restore(None, args=ocp.args.StandardRestore(self.state))
        self.state = loaded


run = Run(tempfile.mkdtemp())
run.load()
print(run.state["m"].sum())
