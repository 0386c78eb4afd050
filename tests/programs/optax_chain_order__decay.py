# expects: optax-chain-order at 9
# needs: optax
import jax
import jax.numpy as jnp
import optax

adam = optax.adam(0.1)
limit = optax.clip_by_global_norm(1.0)
optimizer = optax.chain(limit, adam, optax.add_decayed_weights(1e-2))


def loss(w):
    return jnp.sum((w - 1.0) ** 2)


w = jnp.zeros(3)
state = optimizer.init(w)
for _ in range(5):
    updates, state = optimizer.update(jax.grad(loss)(w), state, w)
    w = optax.apply_updates(w, updates)
print(w)
