"""What scaled-grad asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Types

JIT = False


def half(values):
    """Cast to float16."""
    return values.astype(jnp.float16)


def linear(params, x):
    """Return the sum of the products."""
    return jnp.sum(half(params) * half(x)).astype(jnp.float32)


def tiny(params, x):
    """Return a loss whose gradient is far below the smallest float16."""
    small = jnp.float16(1e-4)
    return jnp.sum(half(params) * small * (half(x) * small)).astype(jnp.float32)


def root(params, x):
    """Return a loss with a gradient of nan where a parameter and its x are 0."""
    return jnp.sum(jnp.sqrt(half(params)) * half(x)).astype(jnp.float32)


def tree(params, x):
    """Return a loss of two leaves, with a gradient of x[0] and x[1]."""
    first, (second,) = params["a"], params["rest"]
    return (half(first).sum() * half(x[0]) + half(second).sum() * half(x[1])).astype(jnp.float32)


LOSSES = {"linear": linear, "tiny": tiny, "root": root, "tree": tree}


def subject(module):
    """Do a compiled step with the named loss."""

    def step(name, params, x, scale, lr):
        @jax.jit
        def compiled(params, x, scale, lr):
            return module.scaled_step(LOSSES[name], params, x, scale, lr)

        return compiled(params, x, jnp.float32(scale), lr)

    step.function = module.scaled_step
    return step


def f32(*numbers):
    """Make an array of floats."""
    return np.array(numbers, np.float32)


EXAMPLES = [
    Call("linear", f32(1.0), f32(2.0), 4.0, 0.5).gives(([0.0], 8.0)),
    Call("linear", f32(1.0), f32(2.0), 32768.0, 0.5)
    .gives(([1.0], 16384.0))
    .when("a gradient that overflows"),
]


def hidden(rng):
    """Yield small gradients, overflows in one place, and scales at their limits."""
    w, x = (rng.uniform(0.5, 2, size=3).astype(np.float32) for _ in range(2))
    nest = {"a": w, "rest": (x,)}
    yield Call("linear", w, x, 256.0, 0.1)
    yield Call("tiny", w, x, 4096.0, 1e6).when("a gradient that would vanish")
    yield Call("tree", nest, f32(0.5, 0.25), 64.0, 0.1)
    yield Call("tree", nest, f32(1.0, 100.0), 1024.0, 0.1).when("a gradient that overflows")
    yield Call("linear", w, f32(1.0, 3.0, 1.0), 32768.0, 0.1).when("a gradient that overflows")
    yield Call("root", f32(1.0, 0.0), f32(1.0, 0.0), 8.0, 0.1).when("a gradient that is nan")
    yield Call("root", f32(0.0), f32(0.0), 1.0, 0.1).when("a scale at its limit")
    yield Call("linear", f32(1.0), f32(0.5), 32768.0, 0.1).when("a scale at its limit")


def adapts(step):
    """Return how the scale of a run behaves that begins with an overflow."""
    params, scale, scales = jnp.ones(2), jnp.float32(32768.0), []
    for _ in range(6):
        params, scale = step.function(linear, params, f32(8.0, 1.0), scale, 0.001)
        scales.append(float(scale))
    wanted = [16384.0, 8192.0, 4096.0, 8192.0, 4096.0, 8192.0]
    if scales == wanted:
        return None
    return f"from 32768 on, the scales are {scales[:4]}, not {wanted[:4]}"


HALF = Call("linear", f32(1.0, 2.0), f32(1.0, 1.0), 2.0, 0.5)


def misses_the_limit(step):
    """Report a largest scale that is near 32768, and is another number."""
    _, scale = step("linear", f32(1.0), f32(0.5), 16384.0, 0.1)
    _, largest = step("linear", f32(1.0), f32(0.5), scale, 0.1)
    if float(largest) == 32768:
        return None
    return f"after 16384 and 32768 comes {float(largest):g}; the limit is 32768"


PROPERTIES = [
    Types([HALF], weak=False, says="Parameters and scale are float32."),
    Custom("adapts", "The scale is halved after an overflow, and doubled otherwise.", adapts),
    Custom("limit", "The largest scale is 32768, a power of two.", misses_the_limit),
]
