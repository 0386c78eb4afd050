# expects: passed|raised|crashed: 
# It takes from itself what the system allows: files, processes, size of files.
import resource

import jax.numpy as jnp

resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
