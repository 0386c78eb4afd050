# expects: new-callable-each-call at 11
import jax
import jax.numpy as jnp


def cool(x, rate):
    def body(carry, _):
        carry = carry - rate * carry
        return carry, jnp.sum(carry)

    return jax.lax.scan(
        body, x, length=5
    )


x, rate = jnp.ones(3), 0.5
for _ in range(8):
    x, _ = cool(x, rate)
    rate = 0.9 * rate
print(x)
