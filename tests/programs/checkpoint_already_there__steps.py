# expects: checkpoint-already-there at 15
# needs: orbax
import pathlib
import tempfile

import jax.numpy as jnp
import orbax.checkpoint as ocp


class Saver:
    def __init__(self, place):
        self.place, self.checkpointer = place, ocp.StandardCheckpointer()

    def save(self, weights):
        self.checkpointer.save(self.place, weights)
        self.checkpointer.wait_until_finished()


saver = Saver(pathlib.Path(tempfile.mkdtemp()) / "best")
for rate in (0.1, 0.2):
    saver.save({"w": jnp.full(3, rate)})
