# expects: checkpoint-path-relative at 17
# needs: orbax
import contextlib
import os
import tempfile

import jax.numpy as jnp
import orbax.checkpoint as ocp

os.chdir(tempfile.mkdtemp())


class Run:
    """One experiment, in a folder of its own."""

    def __init__(self, name):
        self.manager = ocp.CheckpointManager(f"runs/{name}")

    def save(self, step, weights):
        self.manager.save(step, args=ocp.args.StandardSave(weights))
        self.manager.wait_until_finished()


with contextlib.redirect_stderr(None):
    Run("first").save(0, {"w": jnp.ones(3)})
