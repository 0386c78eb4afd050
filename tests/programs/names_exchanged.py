# expects: names-exchanged at 20
import jax
import jax.numpy as jnp


@jax.jit
def score(weights, x, label):
    logits = x @ weights
    loss = -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(len(label)), label])
    return jnp.mean(logits.argmax(-1) == label), loss


def best_of(candidates, x, label):
    losses = [score(weights, x, label)[1] for weights in candidates]
    return candidates[int(jnp.argmin(jnp.stack(losses)))]


x, label = jnp.eye(2), jnp.array([0, 1])
weights = best_of([jnp.eye(2), -jnp.eye(2)], x, label)
test_loss, test_accuracy = score(weights, x, label)
print(f"loss {float(test_loss):.2f}, accuracy {float(test_accuracy):.2f}")
