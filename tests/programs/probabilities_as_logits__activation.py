# expects: probabilities-as-logits at 8
# needs: equinox optax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax

model = eqx.nn.MLP(2, "scalar", 8, 1, final_activation=jax.nn.sigmoid, key=jax.random.key(0))


@eqx.filter_grad
def gradient(model, x, y):
    return optax.sigmoid_binary_cross_entropy(jax.vmap(model)(x), y).mean()


print(gradient(model, jnp.ones((3, 2)), jnp.ones(3)).layers[0].bias.shape)
