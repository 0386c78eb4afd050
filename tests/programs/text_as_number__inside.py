# expects: text-as-number at 16
# needs: optax
import argparse

import jax
import jax.numpy as jnp
import optax

parser = argparse.ArgumentParser()
parser.add_argument("--decay", default="1e-4")
options = parser.parse_args([])


class Trainer:
    def __init__(self):
        self.tx = optax.adamw(0.1, weight_decay=options.decay)

    def step(self, weights):
        slope = jax.grad(lambda w: jnp.sum(w**2))(weights)
        return self.tx.update(slope, self.tx.init(weights), weights)[0]


print(Trainer().step(jnp.ones(3)))
