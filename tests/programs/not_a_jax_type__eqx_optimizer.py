# expects: not-a-jax-type at 11
# needs: equinox optax
import equinox as eqx
import jax
import optax


def make(key):
    model = eqx.nn.MLP(2, 1, 8, 1, key=key)
    tx = optax.chain(optax.clip(1.0), optax.sgd(0.1, momentum=0.9))
    state = tx.init(model)
    return model, tx, state


make(jax.random.key(0))
