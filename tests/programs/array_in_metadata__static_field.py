# expects: array-in-metadata at 9
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Grid(eqx.Module):
    nodes: jax.Array = eqx.field(static=True)
    periodic: bool = eqx.field(static=True)


@eqx.filter_jit
def interpolate(grid, values, at):
    return jnp.interp(at, grid.nodes, values, period=1.0 if grid.periodic else None)


def refined(n):
    return Grid(jnp.linspace(0.0, 1.0, 4) + n / 10, True)


for n in range(2):
    print(interpolate(refined(n), jnp.arange(4.0), 0.3))
