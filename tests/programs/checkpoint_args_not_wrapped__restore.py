# expects: checkpoint-args-not-wrapped at 13
# needs: orbax
import tempfile

import jax.numpy as jnp
import orbax.checkpoint as ocp

weights = {"w": jnp.ones(3)}
manager = ocp.CheckpointManager(tempfile.mkdtemp())
manager.save(0, args=ocp.args.StandardSave(weights))
manager.wait_until_finished()
latest = manager.latest_step()
restored = manager.restore(latest, args=weights)
