# expects: checkpoint-path-relative at 16
# needs: orbax
import os
import tempfile
from pathlib import Path

import jax.numpy as jnp
import orbax.checkpoint as ocp

os.chdir(tempfile.mkdtemp())


def keep(folder, weights):
    place = Path(folder) / "best"
    with ocp.StandardCheckpointer() as saver:
        saver.save(place, weights)


keep("run", {"w": jnp.ones(3)})
