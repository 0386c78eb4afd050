# expects: dataclass-fields-incomplete at 15
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Grid:
    values: jax.Array
    spacing: float
    periodic: bool


jax.tree_util.register_dataclass(Grid, data_fields=["values", "spacing"], meta_fields=[])
print(jax.tree.map(lambda leaf: 2 * leaf, Grid(jnp.ones(3), 0.1, True)))
