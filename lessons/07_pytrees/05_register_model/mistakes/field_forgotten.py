# expects: dataclass-fields-incomplete at 10
"""Names two of three fields."""

from dataclasses import dataclass
from functools import partial

import jax


@partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["name"])
@dataclass
class Linear:
    w: jax.Array
    b: jax.Array
    name: str


@jax.jit
def predict(model, x):
    return model.w @ x + model.b
