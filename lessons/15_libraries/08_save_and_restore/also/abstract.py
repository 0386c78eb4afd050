"""Describes the tree by shapes and dtypes."""

import jax
import orbax.checkpoint as ocp


def save_and_restore(folder):
    def manager():
        return ocp.CheckpointManager(
            folder, options=ocp.CheckpointManagerOptions(max_to_keep=2, create=True)
        )

    def save(step, state):
        with manager() as opened:
            opened.save(step, args=ocp.args.StandardSave(state))

    def restore(like):
        with manager() as opened:
            if opened.latest_step() is None:
                return None
            shapes = jax.tree.map(ocp.utils.to_shape_dtype_struct, like)
            step = opened.latest_step()
            return step, opened.restore(step, args=ocp.args.StandardRestore(shapes))

    return save, restore
