# expects: check traces-once
# says: Your values are right, but `predict` is not compiled: its body runs at every call.
"""Registers the class, and compiles nothing."""

from dataclasses import dataclass, field

import jax


@jax.tree_util.register_dataclass
@dataclass
class Linear:
    w: jax.Array
    b: jax.Array
    name: str = field(metadata={"static": True})


def predict(model, x):
    return model.w @ x + model.b
