# expects: integer-beyond-dtype at 12
import sys
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Settings(NamedTuple):
    capacity: int = 8
    # No limit, unless one is given.
    most_steps: int = sys.maxsize


def is_done(settings, count):
    return count + 1 >= jnp.asarray(settings.most_steps)


@jax.jit
def count_up(start):
    settings = Settings()
    return jax.lax.scan(lambda n, _: (n + 1, is_done(settings, n)), start, None, length=4)


print(count_up(0)[1])
