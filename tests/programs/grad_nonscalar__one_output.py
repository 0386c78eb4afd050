# expects: grad-nonscalar at 17
import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [jax.random.normal(k, (m, n)) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def energy_of(params):
    def energy(place):
        hidden = place
        for w in params[:-1]:
            hidden = jnp.tanh(hidden @ w)
        # The last layer has one output, and so an axis of length 1.
        return hidden @ params[-1]

    return energy


def force(energy, place):
    return -jax.grad(energy)(place)


@jax.jit
def loss(params, places, forces):
    predicted = jax.vmap(lambda place: force(energy_of(params), place))(places)
    return jnp.mean((predicted - forces) ** 2)


places = jax.random.normal(jax.random.key(0), (8, 3))
print(loss(init(jax.random.key(1), (3, 16, 1)), places, -places))
