# expects: nonarray-arg-not-static at 8
import argparse

import jax
import jax.numpy as jnp


@jax.jit
def smooth(heights, options):
    kernel = jnp.hanning(options.width + 2)[1:-1]
    blurred = jnp.convolve(heights, kernel / kernel.sum(), mode="same")
    return options.strength * blurred + (1 - options.strength) * heights


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=3)
    parser.add_argument("--strength", type=float, default=0.5)
    options = parser.parse_args(arguments)
    print(smooth(jnp.arange(6.0), options=options))


main([])
