# expects: changed-argument-lost at 17
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class Line:
    slope: jax.Array


@jax.jit
def train_step(line, x, y):
    loss, grad = jax.value_and_grad(lambda s: jnp.mean((s * x - y) ** 2))(line.slope)
    line.slope = line.slope - 0.1 * grad
    return loss


line = Line(jnp.array(1.0))
for _ in range(3):
    train_step(line, jnp.arange(3.0), jnp.arange(3.0) * 2.0)
