# expects: custom-rule-missing at 6
import jax


@jax.custom_vjp
def f(x):
    return x * x


print(jax.grad(f)(1.0))
