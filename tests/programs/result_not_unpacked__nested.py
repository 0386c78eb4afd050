# expects: result-not-unpacked at 22
import collections

import jax.numpy as jnp

Info = collections.namedtuple("Info", "steps")


class Warmup:
    def run(self, start):
        return (start, {"step_size": jnp.array(0.1)}), Info(10)


def make_kernel(*, step_size):
    return lambda state: state - step_size * state


def main():
    # The pair comes first, and what was recorded second.
    warmup = Warmup()
    start = jnp.ones(3)
    state, parameters = warmup.run(start)
    kernel = make_kernel(**parameters)
    return kernel(state)


print(main())
