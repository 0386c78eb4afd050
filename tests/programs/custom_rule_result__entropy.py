# expects: custom-rule-result at 18
import jax
import jax.numpy as jnp
import jax.scipy.special as jss


@jax.custom_jvp
def log_partition(natural):
    return jnp.logaddexp(natural[0], 0.0)


@log_partition.defjvp
def log_partition_jvp(primals, tangents):
    (natural,) = primals
    (natural_dot,) = tangents
    value = log_partition(natural)
    mean = jss.expit(natural)
    return value, mean * natural_dot


def cross_entropy(expected, natural):
    return log_partition(natural) - jnp.vdot(expected, natural)


print(jax.grad(cross_entropy, argnums=1)(jnp.array([0.4]), jnp.array([0.0])))
