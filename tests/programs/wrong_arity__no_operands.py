# expects: wrong-arity at 12
import jax


def heat(room):
    return room + 1.0


def leave(room):
    return room

thermostat = jax.jit(lambda room: jax.lax.cond(room < 20.0, heat, leave))


thermostat(18.0)
