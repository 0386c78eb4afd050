# expects: nothing
import jax
import jax.numpy as jnp


@jax.custom_vjp
def reversed_gradient(x, strength):
    return x


reversed_gradient.defvjp(
    lambda x, strength: (x, strength), lambda strength, g: (-strength * g, None)
)


@jax.custom_vjp
def nearest(x, codebook):
    distances = jnp.sum((x[:, None] - codebook[None]) ** 2, axis=-1)
    return codebook[jnp.argmin(distances, axis=1)]


nearest.defvjp(lambda x, codebook: (nearest(x, codebook), None), lambda _, g: (g, None))


@jax.custom_vjp
def clipped(x, low, high):
    return x


clipped.defvjp(
    lambda x, low, high: (x, (low, high)),
    lambda bounds, g: (jnp.clip(g, *bounds), None, None),
)


@jax.custom_vjp
def row_of(table, index, mask):
    return table[index] * mask


def row_of_fwd(table, index, mask):
    return table[index] * mask, (table, index, mask)


def row_of_bwd(kept, g):
    table, index, mask = kept
    return jnp.zeros_like(table).at[index].add(g * mask), None, None


row_of.defvjp(row_of_fwd, row_of_bwd)


def loss_of(params, x):
    h = clipped(jnp.tanh(x @ params["encoder"]), -0.5, 0.5)
    code = nearest(h, params["codebook"] * 1.0)
    domain = reversed_gradient(h, params["strength"] ** 2)
    row = row_of(params["table"] * 2.0, jnp.array([1, 0]), jnp.ones((2, 1)))
    return jnp.sum(code**2) + jnp.sum(domain * 0.1) + jnp.sum(row**2)


first, second = jax.random.split(jax.random.key(0))
params = {
    "encoder": jax.random.normal(first, (5, 3)),
    "codebook": jax.random.normal(second, (7, 3)),
    "strength": jnp.array(0.3),
    "table": jnp.ones((4, 3)),
}
for _ in range(3):
    grads = jax.grad(loss_of)(params, jnp.ones((6, 5)))
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
print(params["table"])
