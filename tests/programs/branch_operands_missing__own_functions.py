# expects: branch-operands-missing at 15
import jax


def child(price):
    return price / 2


def adult(price):
    return price


@jax.jit
def fare(age, price):
    return jax.lax.cond(age < 14, child, adult)(price)


print(fare(9, 5.0))
