# expects: mutated-static-self at 14
import jax


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def apply(self, x):
        return self.factor * x


scale = Scale(2.0)
apply = jax.jit(scale.apply)
first = apply(1.0)
scale.factor = 3.0
second = apply(1.0)
