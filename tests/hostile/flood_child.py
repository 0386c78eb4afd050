# expects: passed: checks pass
# A child of it prints for ever, and it answers rightly.
# not in repl: what a cell leaves printing prints beside the next cell, too
# not in diagnose: what a script leaves running goes on printing, as it does after Python
import subprocess

import jax.numpy as jnp

subprocess.Popen(["sh", "-c", "while :; do echo still here; done"])


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
