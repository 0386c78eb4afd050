# expects: text-as-number at 8
# needs: click
import click
import jax.numpy as jnp


@click.command()
@click.option("--length", default="6")
@click.option("--scale", default=2.0)
def main(length, scale):
    steps = jnp.arange(length) * scale
    print(steps.sum())


main([], standalone_mode=False)
