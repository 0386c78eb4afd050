# expects: unhashable-static-field at 20
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Chain:
    steps: int
    coupling: tuple


@partial(jax.jit, static_argnums=0)
def stiffness(chain, x):
    return sum(c * jnp.roll(x, n + 1) for n, c in enumerate(chain.coupling)) / chain.steps


chain = Chain(steps=4, coupling=jnp.array([1.0, 0.5, 0.2]))
print(stiffness(chain, jnp.linspace(-1.0, 1.0, 6)))
