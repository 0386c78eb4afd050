# expects: members-stay-equal at 31
import jax
import jax.numpy as jnp

COPIES = 5


def network(layers, x):
    for weights, offset in layers:
        x = jnp.sin(x @ weights + offset)
    return x.sum(-1)


def build(key):
    first, second = jax.random.split(key)
    sizes = zip((first, second), ((2, 8), (8, 1)), strict=True)
    return [(jax.random.normal(key, size) * 0.5, jnp.zeros(size[1])) for key, size in sizes]


@jax.jit
def fit(ensemble, x, y):
    def error(layers):
        return jnp.mean((network(layers, x) - y) ** 2)

    slopes = jax.vmap(jax.grad(error))(ensemble)
    return jax.tree.map(lambda p, g: p - 0.1 * g, ensemble, slopes)


def trained(ensemble, x, y):
    for _ in range(8):
        ensemble = fit(ensemble, x, y)
    return ensemble


x = jax.random.normal(jax.random.key(1), (16, 2))
layers = build(jax.random.key(0))
ensemble = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (COPIES, *leaf.shape)), layers)
ensemble = trained(ensemble, x, x[:, 0] * x[:, 1])
guesses = jax.vmap(network, in_axes=(0, None))(ensemble, x)
print(guesses.mean(0), guesses.std(0))
