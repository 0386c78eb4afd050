# expects: state-not-carried at 34
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Head(nn.Module):
    @nn.compact
    def __call__(self, x, is_training):
        x = nn.BatchNorm(use_running_average=not is_training)(nn.Dense(4)(x))
        return nn.Dense(1)(nn.gelu(x))[:, 0]


head, optimizer = Head(), optax.sgd(0.1)


def error_of(params, extra, x, y):
    variables = {"params": params, **extra}
    guess, later = head.apply(variables, x, True, mutable=list(extra))
    return jnp.mean((guess - y) ** 2), {"extra": later, "size": jnp.mean(jnp.abs(guess))}


@jax.jit
def learn(variables, opt_state, x, y):
    params, extra = variables
    differentiate = jax.value_and_grad(error_of, has_aux=True)
    (error, found), slopes = differentiate(params, extra, x, y)
    size, later = found["size"], found["extra"]
    changes, opt_state = optimizer.update(slopes, opt_state)
    params = optax.apply_updates(params, changes)
    report = {"error": error, "size": size}
    return (params, extra), opt_state, report


x = jax.random.normal(jax.random.key(0), (16, 3)) * 4 + 2
y = jnp.sin(x[:, 0])
made = head.init(jax.random.key(1), x, False)
variables = made["params"], {"batch_stats": made["batch_stats"]}
opt_state = optimizer.init(variables[0])
for _ in range(5):
    variables, opt_state, report = learn(variables, opt_state, x, y)
print(head.apply({"params": variables[0], **variables[1]}, x, False))
