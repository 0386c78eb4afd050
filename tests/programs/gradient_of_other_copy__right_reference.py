# expects: nothing
# needs: optax
import jax
import jax.numpy as jnp
import optax

keys = jax.random.split(jax.random.key(0), 2)
reference = {"w": jax.random.normal(keys[0], (3, 4))}
policy = jax.tree.map(jnp.copy, reference)
tx = optax.adam(1e-2)
state = tx.init(policy)


def loss(policy, reference, x, chosen):
    logits = jax.nn.log_softmax(x @ policy["w"])
    anchor = jax.nn.log_softmax(x @ reference["w"])
    kept = jnp.sum(jnp.exp(anchor) * (anchor - logits), axis=1).mean()
    return kept - jnp.take_along_axis(logits, chosen[:, None], axis=1).mean()


@jax.jit
def step(policy, state, reference, x, chosen):
    grads = jax.grad(loss)(policy, reference, x, chosen)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(policy, updates), state


x = jax.random.normal(keys[1], (16, 3))
for _ in range(15):
    policy, state = step(policy, state, reference, x, jnp.argmax(x, axis=1))
