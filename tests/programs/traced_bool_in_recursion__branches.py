# expects: traced-bool-in-recursion at 6
import jax


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


print(jax.jit(fibonacci)(6))
