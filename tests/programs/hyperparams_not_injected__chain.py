# expects: hyperparams-not-injected at 9
# needs: optax
import jax.numpy as jnp
import optax


def make(steps):
    rate = optax.cosine_decay_schedule(0.1, steps)
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adam(rate))


tx = make(10)
memory = tx.init(jnp.ones(3))
for _ in range(3):
    _, memory = tx.update(jnp.ones(3), memory)
    print(memory.hyperparams["learning_rate"])
