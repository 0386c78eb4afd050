"""What find-the-leak asks for."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

KEPT = []
SEEN = {}


def subject(module):
    """Call leaks, and remove whatever leaked."""

    def call(transform, f, *args):
        try:
            return module.leaks(transform, f, *args)
        finally:
            mend()

    call.leaks = module.leaks
    return call


def mend():
    KEPT.clear()
    SEEN.clear()
    by_itself.argument = None


X = np.array([1.0, 2.0, 3.0], np.float32)


def clean(x):
    return jnp.sum(x**2)


def leaky(x):
    y = x**2
    KEPT.append(y)
    return jnp.sum(y)


def into_a_dict(x):
    SEEN["last"] = jnp.sin(x)
    return jnp.sum(SEEN["last"])


def by_itself(x):
    by_itself.argument = x
    return jnp.sum(x)


@jax.custom_vjp
def own_rule(x):
    return jnp.sum(x**2)


own_rule.defvjp(lambda x: (own_rule(x), x), lambda x, g: (2 * x * g,))


def scan(f):
    """Return a function that puts f into the body of a scan."""
    return lambda xs: lax.scan(lambda total, x: (total + f(x), None), 0.0, xs)[0]


EXAMPLES = [Call(jax.jit, clean, X).gives(False), Call(jax.grad, leaky, X).gives(True)]


def hidden(rng):
    """Each transformation, with a leak and without."""
    yield Call(jax.jit, leaky, X).when("a leak out of jax.jit")
    yield Call(jax.vmap, into_a_dict, X).when("a leak out of jax.vmap")
    yield Call(scan, by_itself, X).when("a leak out of a scan")
    yield Call(jax.vmap, clean, X)
    yield Call(scan, clean, X)
    yield Call(jax.grad, own_rule, X).when("a function with a derivative rule, and no leak")
    yield Call(jax.grad, clean, X)


def changes_settings(call):
    """Report a setting that differs afterwards."""
    for f in (clean, leaky):
        call(jax.vmap, f, jnp.asarray(X))
        if jax.config.jax_check_tracer_leaks:
            jax.config.update("jax_check_tracer_leaks", False)
            return "jax_check_tracer_leaks is off before the call and on after it"
    return None


def blames_the_innocent(call):
    """Report that a clean function is blamed while tracers of others are alive."""
    for transform in (jax.jit, jax.grad, jax.vmap):
        transform(lambda x: leaky(x))(jnp.asarray(X))
    answer = call(jax.jit, clean, jnp.ones(2))
    return "it blames a clean function for what others leaked before" if answer else None


def changes_its_mind(call):
    """Report different answers about one function."""
    for f in (leaky, by_itself):
        first, second = (call.leaks(jax.jit, f, jnp.ones(2)) for _ in range(2))
        mend()
        if not (first and second):
            what = "that stores" if f is leaky else "that replaces"
            return f"for a function {what} a tracer, it answers {first} and then {second}"
    return None


def hides_errors(call):
    """Report that an error of f is not passed on."""

    def broken(x):
        raise ArithmeticError("f is broken")

    try:
        answer = call(jax.jit, broken, jnp.asarray(X))
    except ArithmeticError:
        return None
    return f"f raises an ArithmeticError, and the answer is {answer}"


PROPERTIES = [
    Custom("settings", "JAX's settings are the same afterwards.", changes_settings),
    Custom("others", "What others leaked before does not count.", blames_the_innocent),
    Custom("again", "Called twice with one function, it gives the same answer.", changes_its_mind),
    Custom("errors", "An error of f's own is passed on.", hides_errors),
]
