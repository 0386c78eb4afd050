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
    """Ask, and mend whatever leaked."""

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
    """Put f into the body of a scan."""
    return lambda xs: lax.scan(lambda total, x: (total + f(x), None), 0.0, xs)[0]


EXAMPLES = [Call(jax.jit, clean, X).gives(False), Call(jax.grad, leaky, X).gives(True)]


def hidden(rng):
    """Each transformation, with a leak and without."""
    yield Call(jax.jit, leaky, X)
    yield Call(jax.vmap, into_a_dict, X)
    yield Call(scan, by_itself, X)
    yield Call(jax.vmap, clean, X)
    yield Call(scan, clean, X)
    yield Call(jax.grad, own_rule, X)
    yield Call(jax.grad, clean, X)


def changes_settings(call):
    """Say which setting is another one afterwards."""
    for f in (clean, leaky):
        call(jax.vmap, f, jnp.asarray(X))
        if jax.config.jax_check_tracer_leaks:
            jax.config.update("jax_check_tracer_leaks", False)
            return "jax_check_tracer_leaks was off before the call and is on after it"
    return None


def blames_the_innocent(call):
    """Say what it answers about a clean function while another one's leak is there."""
    jax.vmap(leaky)(jnp.asarray(X))
    answer = call(jax.jit, clean, jnp.ones(2))
    return "it blamed a clean function for an earlier leak of another" if answer else None


def changes_its_mind(call):
    """Say what it answers about one function the second time."""
    first, second = (call(jax.jit, leaky, jnp.ones(2)) for _ in range(2))
    return None if first and second else f"asked twice, it said {first} and then {second}"


def hides_errors(call):
    """Say what becomes of an error of f."""

    def broken(x):
        raise ArithmeticError("f is broken")

    try:
        answer = call(jax.jit, broken, jnp.asarray(X))
    except ArithmeticError:
        return None
    return f"f raised an ArithmeticError, and the answer was {answer}"


PROPERTIES = [
    Custom("settings", "JAX's settings are the same afterwards.", changes_settings),
    Custom("others", "What others leaked before does not count.", blames_the_innocent),
    Custom("again", "Asked twice about one function, it answers the same.", changes_its_mind),
    Custom("errors", "An error of f's own is passed on.", hides_errors),
]
