# expects: tied-weights-apart at 31
# needs: optax
import jax
import jax.numpy as jnp
import optax

WORDS, WIDTH = 10, 6
keys = jax.random.split(jax.random.key(0), 2)
table = jax.random.normal(keys[0], (WORDS, WIDTH))
params = {"embed": table, "hidden": jax.random.normal(keys[1], (WIDTH, WIDTH)), "unembed": table}


def loss(params, words, following):
    h = jnp.tanh(params["embed"][words] @ params["hidden"])
    logits = h @ params["unembed"].T
    return optax.softmax_cross_entropy_with_integer_labels(logits, following).mean()


tx = optax.adam(1e-2)
state = tx.init(params)


@jax.jit
def step(params, state, words):
    grads = jax.grad(loss)(params, words[:-1], words[1:])
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state


for n in range(10):
    params, state = step(params, state, (jnp.arange(20) * (n + 1)) % WORDS)
