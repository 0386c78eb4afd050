# expects: not-a-jax-type at 24
import jax
import jax.numpy as jnp
from jax.experimental.ode import odeint


def init(key, width):
    first, second = jax.random.split(key)
    return {
        "in": jax.random.normal(first, (2, width)) / 2,
        "out": jax.random.normal(second, (width, 2)) / width,
    }


def correction(params, state):
    return jnp.tanh(state @ params["in"]) @ params["out"]


def drift(state, t, net, params, decay):
    return net(params, state) - decay * state


def mismatch(params, start, times, target):
    path = odeint(drift, start, times, correction, params, 0.3)
    return jnp.mean((path - target) ** 2)


times = jnp.linspace(0.0, 1.0, 5)
target = jnp.stack([jnp.cos(times), jnp.sin(times)], axis=1)
loss, grads = jax.value_and_grad(mismatch)(init(jax.random.key(0), 8), target[0], times, target)
print(loss)
