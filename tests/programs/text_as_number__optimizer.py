# expects: text-as-number at 20
# needs: optax
import configparser

import jax
import jax.numpy as jnp
import optax

parser = configparser.ConfigParser()
parser.read_string("[optimizer]\nrate = 3e-3\n")


def fit(section):
    rate, steps = section["rate"], section.getint("steps", 3)
    params = jnp.ones(3)
    tx = optax.adam(rate)
    state = tx.init(params)
    for _ in range(steps):
        grads = jax.grad(lambda p: jnp.sum(p**2))(params)
        updates, state = tx.update(grads, state)
        params = optax.apply_updates(params, updates)
    return params


print(fit(parser["optimizer"]))
