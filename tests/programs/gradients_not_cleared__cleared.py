# expects: nothing
# needs: optax
import jax
import jax.numpy as jnp
import optax

optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-2, weight_decay=1e-3))


def loss_of(params, x, y):
    return jnp.mean((jnp.tanh(x @ params["w"]) @ params["v"] - y) ** 2)


@jax.jit
def update(params, state, grads):
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state


x = jax.random.normal(jax.random.key(0), (64, 4))
y = jnp.sin(x[:, :1])
start = params = {"w": jnp.full((4, 8), 0.1), "v": jnp.full((8, 1), 0.1)}
state = optimizer.init(params)
total = jax.tree.map(jnp.zeros_like, params)
everything, average = total, params
for n in range(24):
    rows = slice(16 * (n % 4), 16 * (n % 4) + 16)
    grads = jax.grad(loss_of)(params, x[rows], y[rows])
    total = jax.tree.map(lambda t, g: t + g / 2, total, grads)
    everything = jax.tree.map(jnp.add, everything, grads)
    if n % 2:
        params, state = update(params, state, total)
        total = jax.tree.map(jnp.zeros_like, total)
        average = jax.tree.map(lambda a, p: 0.9 * a + 0.1 * p, average, params)
mean = jax.tree.map(lambda g: g / 24, everything)
params = jax.tree.map(lambda p, g: p - 0.1 * g, params, mean)
print(loss_of(params, x, y), loss_of(average, x, y))

multi = optax.MultiSteps(optax.sgd(0.1), every_k_schedule=2)
params, state = start, multi.init(start)
for _ in range(8):
    updates, state = multi.update(jax.grad(loss_of)(params, x, y), state, params)
    params = optax.apply_updates(params, updates)
print(loss_of(params, x, y))
