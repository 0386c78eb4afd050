# expects: prng-key-reuse at 31
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Classifier(nn.Module):
    """Two layers, with dropout between them."""

    @nn.compact
    def __call__(self, x, train):
        x = nn.relu(nn.Dense(32)(x))
        x = nn.Dropout(0.5, deterministic=not train)(x)
        return nn.Dense(3)(x)


model = Classifier()
init_key, dropout_key, data_key = jax.random.split(jax.random.key(7), 3)
x = jax.random.normal(data_key, (60, 5))
y = jnp.argmax(x[:, :3], axis=1)
params = model.init(init_key, x, train=False)
tx = optax.adam(1e-2)
opt_state = tx.init(params)


@jax.jit
def train_step(params, opt_state, x, y):
    def loss_fn(params):
        logits = model.apply(params, x, train=True, rngs={"dropout": dropout_key})
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


for _ in range(30):
    params, opt_state, loss = train_step(params, opt_state, x, y)
print("loss", loss)
