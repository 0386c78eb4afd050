# expects: not-a-jax-type at 7
import jax


@jax.jit
def summary(x):
    return {"name": "mean", "value": x.mean()}


summary(jax.numpy.ones(3))
