# expects: nonarray-field-not-static at 12
"""Uses a named tuple, in which every field is data."""

from typing import NamedTuple

import jax


class Linear(NamedTuple):
    w: jax.Array
    b: jax.Array
    name: str


@jax.jit
def predict(model, x):
    return model.w @ x + model.b
