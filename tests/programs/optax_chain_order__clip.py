# expects: optax-chain-order at 13
# needs: optax
import jax
import jax.numpy as jnp
import optax


def loss(w):
    return jnp.sum((w - 100.0) ** 2)


def make_optimizer(rate):
    return optax.chain(optax.sgd(rate), optax.clip_by_global_norm(1.0))


optimizer = make_optimizer(0.01)
w = jnp.zeros(3)
state = optimizer.init(w)
for _ in range(5):
    updates, state = optimizer.update(jax.grad(loss)(w), state, w)
    w = optax.apply_updates(w, updates)
print(w)
