# expects: argmax-over-all at 9
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


def count_right(logits, labels):
    return (logits.argmax() == labels).sum()


model = eqx.nn.MLP(2, 3, 8, 1, key=jax.random.key(0))
x, labels = jnp.ones((6, 2)), jnp.array([0, 1, 2, 0, 1, 2])
print(count_right(jax.vmap(model)(x), labels))
