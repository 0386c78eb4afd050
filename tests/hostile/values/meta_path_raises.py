# expects: raised: RuntimeError
# Has a finder that raises for whatever is imported.
import jax.numpy as jnp
import sys


class Finder:
    def find_spec(self, name, path=None, target=None):
        raise RuntimeError(f'{name} is not for you')


sys.meta_path.insert(0, Finder())


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
