# expects: passed: checks pass
# Sets another locale, a decimal context of one digit, and numpy's way of printing.
import jax.numpy as jnp
import contextlib
import decimal
import locale

import numpy as np

with contextlib.suppress(locale.Error):
    locale.setlocale(locale.LC_ALL, 'de_DE.UTF-8')
decimal.getcontext().prec = 1
np.set_printoptions(precision=1, threshold=1, formatter={'all': lambda _: 'number'})


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
