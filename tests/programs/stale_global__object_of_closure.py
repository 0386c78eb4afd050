# expects: stale-global at 17
import jax
import jax.numpy as jnp


class Schedule:
    def __init__(self, rate):
        self.rate = rate

    def advance(self):
        self.rate *= 0.5


def make_update(schedule):
    @jax.jit
    def update(w):
        return w - schedule.rate * w

    return update


def train(w):
    schedule = Schedule(0.5)
    update = make_update(schedule)
    for _ in range(3):
        w = update(w)
        schedule.advance()
    return w


train(jnp.ones(2))
