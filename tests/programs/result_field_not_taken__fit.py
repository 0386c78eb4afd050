# expects: result-field-not-taken at 14
# needs: jaxopt
import jax.numpy as jnp
import jaxopt


def loss(params, x, y):
    return jnp.mean((params["slope"] * x + params["offset"] - y) ** 2)


class Line:
    def fit(self, x, y):
        start = {"slope": jnp.array(0.0), "offset": jnp.array(0.0)}
        self.params = jaxopt.LBFGS(loss, maxiter=20).run(start, x, y)
        return self

    def predict(self, x):
        return self.params["slope"] * x + self.params["offset"]


x = jnp.linspace(0.0, 1.0, 8)
print(Line().fit(x, 2.0 * x + 1.0).predict(x[:2]))
