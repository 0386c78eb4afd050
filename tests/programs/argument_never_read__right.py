# expects: nothing
import jax
import jax.numpy as jnp


def constant(rate, count):
    return rate


def decaying(rate, count):
    return rate / (1.0 + count)


def drift(t, y, args):
    return -0.5 * y


def noise(key, scale, shape):
    raise NotImplementedError


class Optimizer:
    def __init__(self, rate, _name):
        self.rate = rate

    def start(self, weights):
        return jnp.zeros(())

    def moved(self, weights, slope, state):
        return weights - self.rate(0.1, state) * slope, state + 1


class Momentum:
    def start(self, weights):
        return jnp.zeros_like(weights)

    def moved(self, weights, slope, state):
        del weights
        return 0.1 * slope, state


def registered(scale, offset):
    return 2.0 * scale


def running(total, number):
    return total + 1, total


def logged(values, label):
    return values, "{label}".format(**locals())


def apply(x, train, key):
    return jnp.tanh(x)


def shifted(x, offset=None):
    return x + 1.0


def midpoint(y, dt):
    return y + dt * drift(0.5 * dt, y + 0.5 * dt * drift(0.0, y, None), None)


layers = {"registered": registered}
optimizer = Optimizer(decaying, "sgd")
weights, state = optimizer.moved(jnp.ones(3), jnp.ones(3), optimizer.start(jnp.ones(3)))
print(weights, state, constant(0.1, 3.0), decaying(0.1, 3.0), layers["registered"](1.0, 2.0))
print(jax.lax.scan(running, 0, jnp.arange(3))[1], logged(1.0, "a"), shifted(1.0, offset=None))
print(midpoint(jnp.ones(2), 0.1), apply(weights, train=True, key=jax.random.key(0)))
print(Momentum().moved(jnp.ones(2), jnp.ones(2), Momentum().start(jnp.ones(2))))
