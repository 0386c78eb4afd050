# expects: checkpoint-structure-mismatch at 30
# needs: optax orbax
import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import optax
import orbax.checkpoint as ocp


class Trainer:
    def __init__(self, folder):
        self.path = Path(folder) / "state"
        self.tx = optax.adam(5e-2)
        self.params = {"w": jnp.zeros(3)}
        self.opt_state = self.tx.init(self.params)
        self.saver = ocp.StandardCheckpointer()

    def step(self):
        grads = jax.grad(lambda p: jnp.sum((p["w"] - 1.0) ** 2))(self.params)
        updates, self.opt_state = self.tx.update(grads, self.opt_state, self.params)
        self.params = optax.apply_updates(self.params, updates)

    def save(self):
        self.saver.save(self.path, {"params": self.params, "opt_state": self.opt_state})
        self.saver.wait_until_finished()

    def load(self):
        state = self.saver.restore(self.path)
        self.params, self.opt_state = state["params"], state["opt_state"]


with tempfile.TemporaryDirectory() as folder:
    trainer = Trainer(folder)
    trainer.step()
    trainer.save()
    trainer.load()
    trainer.step()
