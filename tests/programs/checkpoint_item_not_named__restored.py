# expects: checkpoint-item-not-named at 21
# needs: orbax
import tempfile

import jax.numpy as jnp
import orbax.checkpoint as ocp


def save(manager, step, weights, settings):
    parts = ocp.args.Composite(
        weights=ocp.args.StandardSave(weights),
        settings=ocp.args.JsonSave(settings),
    )
    manager.save(step, args=parts)
    manager.wait_until_finished()


weights = {"slope": jnp.ones(2)}
with ocp.CheckpointManager(tempfile.mkdtemp()) as manager:
    save(manager, 1, weights, {"rate": 0.1})
    kept = manager.restore(1, args=ocp.args.JsonRestore())
    print(kept["rate"])
