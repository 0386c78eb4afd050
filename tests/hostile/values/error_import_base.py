# expects: raised: GeneratorExit
# Raises GeneratorExit while it is imported.
import jax.numpy as jnp
raise GeneratorExit('out')


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
