# expects: schedule-counts-updates at 16
# needs: optax
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import optax


@dataclass
class Options:
    rounds: int = 4


def make_optimizer(options):
    return optax.sgd(optax.cosine_decay_schedule(0.1, decay_steps=options.rounds))


def fit(options, x, y):
    tx = make_optimizer(options)
    w = jnp.zeros(x.shape[1])
    state = tx.init(w)
    for _ in range(options.rounds):
        for n in range(0, len(x), 8):
            slope = jax.grad(lambda w: jnp.mean((x[n : n + 8] @ w - y[n : n + 8]) ** 2))(w)
            updates, state = tx.update(slope, state)
            w = optax.apply_updates(w, updates)
    return w


x = jax.random.normal(jax.random.key(0), (32, 3))
print(fit(Options(), x, x.sum(axis=1)))
