# expects: passed: checks pass
# It prints what would take over a terminal: its title, its screen, its margins.
import jax.numpy as jnp

print("\x1b]0;owned\x07\x1b[2J\x1b[?1049h\x1b[5;10r\x1b[31mDISTURBED\x9b2J\x90q\x1b\\")


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
