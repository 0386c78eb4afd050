# expects: result-not-unpacked at 22
import jax
import jax.numpy as jnp
from jax.experimental import checkify


def log_weights(weights):
    checkify.check(jnp.all(weights > 0), "weights have to be positive")
    return jnp.log(weights)


def normalized(logits):
    return logits - jax.nn.logsumexp(logits)


safe_log = jax.jit(checkify.checkify(log_weights))


def report(scale):
    weights = scale * jnp.arange(1.0, 5.0)
    print(weights)
    return normalized(safe_log(weights))


print(report(0.5))
