# expects: timed-before-finished at 26
import time

import jax
import jax.numpy as jnp


@jax.jit
def integrate(state):
    def body(state, _):
        place, speed = state
        speed = speed - 0.01 * jnp.sin(place)
        return (place + 0.01 * speed, speed), None

    return jax.lax.scan(body, state, None, length=2000)[0]


class Stopwatch:
    """Measures the time of a block."""

    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *_):
        self.seconds = time.perf_counter() - self.start


def seconds_of(function, state):
    with Stopwatch() as watch:
        function(state)
    return watch.seconds


state = jnp.linspace(0.0, 1.0, 100), jnp.zeros(100)
jax.block_until_ready(integrate(state))
times = [seconds_of(integrate, state) for _ in range(3)]
print(min(times) > 0)
