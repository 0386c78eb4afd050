# expects: passed|raised: 
# It opens files until it may open no more.
import os

import jax.numpy as jnp

kept = []
try:
    while True:
        kept.append(os.open(os.devnull, os.O_RDONLY))
except OSError:
    pass


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
