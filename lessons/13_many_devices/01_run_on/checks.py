"""What run-on asks for."""

from contextlib import suppress

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

DEVICES = jax.devices()


def doubled(x):
    """Return twice x."""
    return 2 * x


def total(parts):
    """Return the sum of a tree of arrays, and each part's share in it."""
    whole = sum(jnp.sum(part) for part in jax.tree.leaves(parts))
    return {"whole": whole, "shares": jax.tree.map(lambda part: jnp.sum(part) / whole, parts)}


def padded(x):
    """Return x behind two zeros, which the function makes by itself."""
    return jnp.concatenate([jnp.zeros(2, x.dtype), x])


def made():
    """Return an array without having been given one."""
    return jnp.arange(3.0)


FUNCTIONS = {
    "add": jnp.add,
    "compiled": jax.jit(lambda x, y: x @ y),
    "doubled": doubled,
    "made": made,
    "padded": padded,
    "total": total,
}


def placed(value, place):
    """Put a value on a device, by its number; None leaves the choice to JAX."""
    arrays = jax.tree.map(jnp.asarray, value)
    return arrays if place is None else jax.device_put(arrays, DEVICES[place])


def subject(module):
    """Name devices by their numbers, and say for each argument where it lies before."""

    def call(device, name, *args, places=()):
        places = places or (None,) * len(args)
        arrays = [placed(arg, place) for arg, place in zip(args, places, strict=True)]
        answer = module.run_on(DEVICES[device], FUNCTIONS[name], *arrays)
        return jax.device_get(answer)

    call.run_on = module.run_on
    return call


ONES = np.ones(3, np.float32)

EXAMPLES = [
    Call(2, "doubled", ONES).gives([2.0, 2.0, 2.0]),
    Call(2, "add", ONES, ONES, places=(1, 3)).gives([2.0, 2.0, 2.0]),
]


def hidden(rng):
    """Arguments on all sorts of devices, trees, and functions that make arrays."""
    x, y = rng.normal(size=(2, 3, 3)).astype(np.float32)
    apart = "arguments on two devices"
    yield Call(5, "compiled", x, y, places=(1, 3)).when(apart)
    yield Call(0, "compiled", x, y, places=(7, None)).when(apart)
    tree = {"left": x[0], "right": [y[0], y[1]]}
    yield Call(4, "total", tree, places=(6,)).when("a tree of arrays")
    yield Call(3, "padded", x[0], places=(1,))
    yield Call(1, "made").when("a function without arguments")


def wrong_result(call):
    """Report an array of a result that lies elsewhere or is not committed."""
    for name, args in (("doubled", (ONES,)), ("total", ({"a": ONES, "b": ONES},)), ("made", ())):
        for place in (None, 1):
            arrays = [placed(arg, place) for arg in args]
            answer = call.run_on(DEVICES[2], FUNCTIONS[name], *arrays)
            for leaf in jax.tree.leaves(answer):
                if leaf.devices() != {DEVICES[2]}:
                    return f"an array of {name}'s result lies on {leaf.device}, not {DEVICES[2]}"
                if not leaf.committed:
                    return f"an array of {name}'s result is not committed to {DEVICES[2]}"
    return None


def wrong_inside(call):
    """Report an argument that f meets on another device."""
    met = []

    def watched(x, y):
        met.extend([x.device, y.device])
        return x

    call.run_on(DEVICES[2], watched, placed(ONES, None), placed(ONES, 2))
    call.run_on(DEVICES[2], watched, placed(ONES, 1), placed(ONES, 3))
    elsewhere = [device for device in met if device != DEVICES[2]]
    return f"f met an argument on {elsewhere[0]}, not {DEVICES[2]}" if elsewhere else None


def wrong_made(call):
    """Report an array that f makes on another device."""
    met = []

    def watched(x):
        met.append(jnp.zeros(3).device)
        return x

    call.run_on(DEVICES[2], watched, placed(ONES, 1))
    return None if met == [DEVICES[2]] else f"f made an array on {met[0]}, not {DEVICES[2]}"


def compiled(call):
    """Report a function that was compiled before it was called."""
    met = []

    def watched(x):
        met.append(isinstance(x, jax.core.Tracer))
        return x

    call.run_on(DEVICES[2], watched, placed(ONES, 1))
    return "f was called with a tracer" if any(met) else None


def raising(x):
    """Raise."""
    raise RuntimeError("no answer")


def changed_arguments(call):
    """Report an argument that was moved away."""
    x = placed(ONES, 1)
    call.run_on(DEVICES[2], doubled, x)
    if x.is_deleted():
        return "the caller's array was deleted"
    with suppress(RuntimeError):
        call.run_on(DEVICES[2], raising, x)
    outside = jnp.zeros(3).device
    return None if outside == DEVICES[0] else f"afterwards, new arrays lie on {outside}"


PROPERTIES = [
    Custom("as-it-is", "The function is called as it is.", compiled),
    Custom("result", "All arrays of the result are committed to the device.", wrong_result),
    Custom("inside", "The function meets its arguments on the device.", wrong_inside),
    Custom("made-inside", "What the function makes is made on the device.", wrong_made),
    Custom("arguments", "Outside of the call, nothing changes.", changed_arguments),
]
