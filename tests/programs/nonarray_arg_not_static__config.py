# expects: nonarray-arg-not-static at 15
import jax
import jax.numpy as jnp


import dataclasses


@dataclasses.dataclass(frozen=True)
class Cfg:
    width: int = 3
    act: str = "relu"


@jax.jit
def layer(x, cfg):
    return jnp.zeros(cfg.width) + x


layer(1.0, Cfg())
