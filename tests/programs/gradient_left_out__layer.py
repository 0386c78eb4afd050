# expects: gradient-left-out at 18
# needs: optax
import jax
import jax.numpy as jnp
import optax


@jax.custom_vjp
def affine(x, w, b):
    return x @ w + b


def affine_fwd(x, w, b):
    return affine(x, w, b), (x, w)


def affine_bwd(kept, g):
    return jnp.zeros_like(kept[0]), kept[0].T @ g, g.sum(axis=0)


affine.defvjp(affine_fwd, affine_bwd)


def loss_of(params, x, y):
    for w, b in params[:-1]:
        x = jax.nn.tanh(affine(x, w, b))
    return jnp.mean((affine(x, *params[-1]) - y) ** 2)


keys = jax.random.split(jax.random.key(0), 3)
sizes = [(3, 8), (8, 8), (8, 1)]
params = [
    (0.5 * jax.random.normal(k, s), jnp.zeros(s[1])) for k, s in zip(keys, sizes, strict=True)
]
optimizer = optax.adam(1e-2)
state = optimizer.init(params)
x = jax.random.normal(jax.random.key(1), (32, 3))
y = jnp.sin(x[:, :1]) * x[:, 1:2]


@jax.jit
def step(params, state):
    loss, grads = jax.value_and_grad(loss_of)(params, x, y)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state, loss


for _ in range(50):
    params, state, loss = step(params, state)
print(f"{loss:.4f}")
