# expects: traced-shape-arg at 7
import jax


def make(n):
    def sample(key):
        return jax.random.normal(key, (n, 2))

    return sample


@jax.jit
def f(key, n):
    return make(n)(key).sum()


f(jax.random.key(0), 4)
