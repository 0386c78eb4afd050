# expects: split-model-called at 8
# needs: equinox
import equinox as eqx
import jax


def outputs(arrays, points):
    return jax.vmap(arrays)(points)


network = eqx.nn.MLP(2, 1, 8, 2, key=jax.random.key(1))
arrays, rest = eqx.partition(network, eqx.is_inexact_array)
jax.jit(outputs)(arrays, jax.numpy.ones((3, 2)))
