# expects: probabilities-as-logits at 8
# needs: equinox optax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax

model = eqx.nn.MLP(2, 3, 8, 1, final_activation=jax.nn.softmax, key=jax.random.key(0))


@eqx.filter_grad
def gradient(model, x, y):
    scores = jax.vmap(model)(x)
    return optax.softmax_cross_entropy_with_integer_labels(scores, y).mean()


print(gradient(model, jnp.ones((3, 2)), jnp.arange(3)).layers[0].bias.shape)
