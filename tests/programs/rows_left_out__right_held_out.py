# expects: nothing
import jax
import jax.numpy as jnp

keys = jax.random.split(jax.random.key(0), 3)
x = jax.random.normal(keys[0], (160, 4))
y = jnp.sin(x @ jnp.array([1.0, -1.0, 0.5, 0.0]))
train_x, train_y = x[:128], y[:128]
test_x, test_y = x[128:], y[128:]


def loss(w, x, y):
    return jnp.mean((jnp.tanh(x @ w["in"]) @ w["out"] - y) ** 2)


evaluate = jax.jit(loss)


@jax.jit
def step(w, x, y):
    value, grads = jax.value_and_grad(loss)(w, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, w, grads), value


w = {"in": jax.random.normal(keys[1], (4, 8)), "out": jnp.zeros(8)}
for epoch in range(12):
    order = jax.random.permutation(jax.random.fold_in(keys[2], epoch), 128)
    for batch in order.reshape(-1, 32):
        w, value = step(w, train_x[batch], train_y[batch])
print(evaluate(w, test_x, test_y))
