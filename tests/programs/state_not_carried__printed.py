# expects: state-not-carried at 37
import jax
import jax.numpy as jnp

x = jnp.linspace(-1.0, 1.0, 40)[:, None] ** jnp.arange(4)
y = jnp.cos(3.0 * x[:, 1])
RATES = jnp.array([0.02, 0.05, 0.1])


def predict(weights, rows):
    return rows @ weights


def loss(weights):
    return jnp.mean((predict(weights, x) - y) ** 2)


def start(weights):
    return {"count": jnp.int32(0), "speed": jnp.zeros_like(weights), "rate": RATES[0]}


@jax.jit
def improve(weights, status):
    value, slope = jax.value_and_grad(loss)(weights)
    count = status["count"] + 1
    rate = RATES[jnp.minimum(count // 10, 2)]
    speed = 0.9 * status["speed"] + slope
    status = {"count": count, "speed": speed, "rate": rate}
    return weights - rate * speed, value, status


weights = jnp.zeros(4)
status = start(weights)

for n in range(60):
    before = loss(weights)
    weights, value, new_status = improve(weights, status)
    if n % 20 == 0:
        print(n, value, f"rate {new_status['rate']:.2f}")
print("end", before, predict(weights, x[:2]))
