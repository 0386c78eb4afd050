"""What parked-state asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False


def momentum(params, state, grads):
    """Return the parameters and the momentum after a step, and how many steps there were."""
    pace = jax.tree.map(lambda m, g: 0.5 * m + g, state["pace"], grads)
    params = jax.tree.map(lambda p, m: p - 0.1 * m, params, pace)
    return params, {"pace": pace, "steps": state["steps"] + 1}


def counting(params, state, grads):
    """Return the parameters less the gradients, and one step more."""
    return jax.tree.map(jnp.subtract, params, grads), state + 1


UPDATES = {"momentum": momentum, "counting": counting}


def start(params, space=jax.memory.Space.Host):
    """Return the first state of momentum, in a memory space."""
    return jax.device_put(
        {"pace": jax.tree.map(jnp.zeros_like, params), "steps": jnp.int32(0)}, space
    )


def subject(module):
    """Take some steps, and return parameters and state as the host has them."""

    def call(name, params, steps, on_host=True, scale=1.0):
        params = jax.tree.map(jnp.asarray, params)
        state = start(params) if name == "momentum" else jax.device_put(0, jax.memory.Space.Host)
        if not on_host:
            state = jax.device_put(state, jax.memory.Space.Device)
        step = module.parked_state(UPDATES[name])
        for _ in range(steps):
            params, state = step(params, state, jax.tree.map(lambda p: scale * p, params))
        return jax.device_get((params, state))

    call.parked_state = module.parked_state
    return call


W = np.array([2.0, 4.0], np.float32)

EXAMPLES = [
    Call("counting", W, 1).gives(([0.0, 0.0], 1)),
    Call("counting", W, 1, scale=0.0).gives(([2.0, 4.0], 1)),
]


def hidden(rng):
    """More steps, trees of parameters, and a state that begins on the device."""
    layers = {"in": rng.normal(size=(3, 2)), "out": rng.normal(size=2)}
    layers = jax.tree.map(np.float32, layers)
    yield Call("momentum", layers, 3)
    yield Call("momentum", layers, 2, on_host=False).when("a state that is on the device")
    yield Call("counting", layers, 2)


def wrong_place(call):
    """Report an array of the answer that is in another memory than it should be."""
    params = {"in": jnp.ones((3, 2)), "out": jnp.ones(2)}
    step = call.parked_state(momentum)
    for space in (jax.memory.Space.Host, jax.memory.Space.Device):
        new, state = step(params, start(params, space), params)
        for name, tree, kind in (("parameters", new, "device"), ("state", state, "pinned_host")):
            for leaf in jax.tree.leaves(tree):
                if leaf.sharding.memory_kind != kind:
                    return f"an array of the {name} is in {leaf.sharding.memory_kind}, not {kind}"
    return None


def wrong_inside(call):
    """Report an array that the update meets in the host's memory."""
    spaces = []

    def watched(params, state, grads):
        leaves = jax.tree.leaves((params, state, grads))
        spaces.extend(jax.typeof(leaf).memory_space for leaf in leaves)
        return counting(params, state, grads)

    params = jnp.ones(3)
    call.parked_state(watched)(params, jax.device_put(0, jax.memory.Space.Host), params)
    outside = [space for space in spaces if space != jax.memory.Space.Device]
    return f"the update met {len(outside)} of {len(spaces)} arrays on the host" if outside else None


def not_compiled(call):
    """Report an update that runs eagerly."""
    seen = []

    def watched(params, state, grads):
        seen.append(isinstance(params, jax.core.Tracer))
        return counting(params, state, grads)

    params = jnp.ones(3)
    call.parked_state(watched)(params, jax.device_put(0, jax.memory.Space.Host), params)
    return None if all(seen) else "the update ran without being compiled"


def not_whole(call):
    """Report a step that is not one compiled function with both moves in it."""
    params, state = jnp.ones(3), jax.device_put(0, jax.memory.Space.Host)
    step = call.parked_state(counting)
    if not hasattr(step, "lower"):
        return "the step is not what jax.jit returned"
    moves = str(jax.make_jaxpr(step)(params, state, params)).count("device_put[")
    return f"the compiled step has {moves} of the two moves" if moves < 2 else None


def traces(call):
    """Report how often three steps trace the update, if not once."""
    seen = []

    def watched(params, state, grads):
        seen.append(1)
        return counting(params, state, grads)

    step = call.parked_state(watched)
    params, state = jnp.ones(3), jax.device_put(0, jax.memory.Space.Host)
    for _ in range(3):
        params, state = step(params, state, params)
    return None if len(seen) == 1 else f"three steps traced the update {len(seen)} times"


PROPERTIES = [
    Custom("where", "The parameters stay on the device, and the state on the host.", wrong_place),
    Custom("inside", "The update meets every array on the device.", wrong_inside),
    Custom("jitted", "The update is compiled.", not_compiled),
    Custom("traces", "Three steps trace the update once.", traces),
    Custom("whole", "Both moves are inside the compiled step.", not_whole),
]
