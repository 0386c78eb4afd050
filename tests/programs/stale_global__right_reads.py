# expects: nothing
import dataclasses
import functools

import jax
import jax.numpy as jnp


class Run:
    def __init__(self):
        self.epoch = 0
        self.scale = 2.0


run, log, traces = Run(), [], []


@jax.jit
def step(x):
    traces.append(x.shape)
    jax.debug.callback(lambda v: log.append((run.epoch, float(v))), x.sum())
    return x * run.scale


@dataclasses.dataclass(frozen=True)
class Rate:
    value: float


@functools.partial(jax.jit, static_argnums=0)
def scaled(rate, x):
    return rate.value * x


def make(gain):
    @jax.jit
    def amplify(x):
        return gain * x

    return amplify


@jax.jit
def shadowed(x):
    def inner(epoch):
        return x + epoch

    return inner(1.0)


epoch = 0.0
rate = Rate(0.1)
amplifiers = [make(gain) for gain in (1.0, 2.0)]
for _ in range(4):
    run.epoch += 1
    epoch += 1.0
    print(step(jnp.ones(3)), scaled(rate, 1.0), shadowed(0.0), [f(1.0) for f in amplifiers])
