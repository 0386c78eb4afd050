# expects: times-outside-solve at 13
# needs: diffrax
import diffrax
import jax.numpy as jnp


def growth(t, y, args):
    return 0.1 * y * (1 - y)


def population(years):
    saveat = diffrax.SaveAt(ts=years)
    return diffrax.diffeqsolve(
        diffrax.ODETerm(growth), diffrax.Tsit5(), 0.0, 30.0, 0.5, jnp.array(0.1), saveat=saveat
    ).ys


print(population(jnp.linspace(0.0, 40.0, 5)))
