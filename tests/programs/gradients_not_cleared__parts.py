# expects: gradients-not-cleared at 32
# needs: optax
import jax
import jax.numpy as jnp
import optax

PARTS = 2
optimizer = optax.adam(1e-2)


def loss_of(params, x, y):
    return jnp.mean((jnp.tanh(x @ params["w"]) @ params["v"] - y) ** 2)


@jax.jit
def update(params, state, grads):
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state


first, second, third = jax.random.split(jax.random.key(0), 3)
x = jax.random.normal(first, (64, 4))
y = jnp.sin(x[:, :1])
params = {"w": jax.random.normal(second, (4, 8)), "v": jax.random.normal(third, (8, 1))}
state = optimizer.init(params)
gradient = jax.jit(jax.grad(loss_of))
held = None
for n in range(20):
    rows = slice(16 * (n % 4), 16 * (n % 4) + 16)
    grads = gradient(params, x[rows], y[rows])
    if held is not None:
        grads = jax.tree.map(lambda a, b: b / PARTS + a, held, grads)
    held = grads
    if n % PARTS == PARTS - 1:
        params, state = update(params, state, held)
print(f"{loss_of(params, x, y):.3f}")
