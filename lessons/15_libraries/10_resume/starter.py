"""As if nothing had happened."""

import numpy as np
import orbax.checkpoint as ocp


def resume(folder, start, step, steps, every):
    """Train until so many steps are done, from the newest checkpoint on; return all losses."""
    state, losses = start, np.zeros(steps, np.float32)
    # TODO: nothing is saved, and every run starts at step 0.
    for i in range(steps):
        state, losses[i] = step(state)
    return losses
