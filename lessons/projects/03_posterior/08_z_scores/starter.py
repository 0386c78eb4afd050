"""The sampler against the exact answer."""

import jax
import jax.numpy as jnp
import numpy as np


def z_scores(draws, mean):
    """Return how many standard errors the mean of the draws (chains, n, d) is off, shape (d,)."""
    # TODO: this takes the draws for independent, and so the error for too small.
    error = draws.std(axis=(0, 1)) / jnp.sqrt(draws.shape[0] * draws.shape[1])
    return (draws.mean(axis=(0, 1)) - mean) / error


def make_data(key, weights, deviation, n):
    """Return n rows of a linear model with these weights, and their noisy sums."""
    x_key, noise_key = jax.random.split(key)
    X = jax.random.normal(x_key, (n, weights.shape[0])).at[:, 1:].add(0.5)
    return X, X @ weights + deviation * jax.random.normal(noise_key, (n,))


def exact_answer(X, y):
    """Return the posterior mean of q, and the covariance of the weights, in closed form."""
    precision = X.T @ X + jnp.eye(X.shape[1])
    mean = jnp.linalg.solve(precision, X.T @ y)
    shape, scale = 3 + X.shape[0] / 2, 2 + (y @ y - mean @ precision @ mean) / 2
    log_variance = jnp.log(scale) - jax.scipy.special.digamma(shape)
    return jnp.append(mean, log_variance), scale / (shape - 1) * jnp.linalg.inv(precision)


def draw(chain, columns=72, rows=12):
    """Return a text that shows the draws of one chain from left to right."""
    values = np.asarray(chain)[: columns * (len(chain) // columns)].reshape(columns, -1)
    low, high = values.min(), values.max()
    levels = np.round((values - low) / (high - low + 1e-9) * (rows - 1)).astype(int)
    lines = []
    for row in reversed(range(rows)):
        label = high if row == rows - 1 else low if row == 0 else None
        cells = ["*" if (column == row).any() else " " for column in levels]
        lines.append(f"{'' if label is None else f'{label:.2f}':>7} |{''.join(cells).rstrip()}")
    return "\n".join(lines)


def save_picture(draws, mean, names, file):
    """Save the draws of each chain as a PNG; return whether matplotlib is there to do it."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(8, 6))
    axes = figure.subplots(draws.shape[-1], sharex=True)
    for i, panel in enumerate(axes):
        panel.plot(np.asarray(draws)[:, :, i].T, linewidth=0.5)
        panel.axhline(float(mean[i]), color="black")
        panel.set_ylabel(names[i])
    figure.savefig(file)
    return True


def main():
    """Sample the posterior of a linear model, and compare it with the exact answer."""
    data_key, start_key, warm_key, sample_key = jax.random.split(jax.random.key(0), 4)
    X, y = make_data(data_key, jnp.array([1.0, -2.0, 0.5]), 0.7, 40)
    mean, covariance = exact_answer(X, y)

    def logp(q):
        return log_density(q, X, y)

    # A variance that is too large is a safe start: the density is flat there. Near a variance of
    # 0 it is so steep that a chain may never leave its start.
    starts = jax.random.normal(start_key, (8, 4)).at[:, 3].set(2.0)
    warm = jax.jit(warm_up, static_argnums=(1, 4, 5))
    places, step = warm(warm_key, logp, starts, 0.1, 8, 500)
    run = jax.jit(sample, static_argnums=(1, 4, 5))
    draws, probabilities = run(sample_key, logp, places, step, 8, 2000)
    print(f"step {step:.3f}, {probabilities.mean():.0%} of the paths accepted")

    names = ["w0", "w1", "w2", "log s"]
    each = zip(
        names,
        mean,
        draws.mean(axis=(0, 1)),
        z_scores(draws, mean),
        jax.vmap(r_hat, in_axes=-1)(draws),
        jax.vmap(ess, in_axes=-1)(draws),
        strict=True,
    )
    print("        exact  sampled      z  R-hat    ESS")
    for name, exact, found, z, agreement, size in each:
        print(f"{name:6}{exact:7.3f}{found:9.3f}{z:7.2f}{agreement:7.3f}{size:7.0f}")
    off = np.cov(np.asarray(draws[..., :3]).reshape(-1, 3).T) / np.asarray(covariance) - 1
    print(
        f"covariance of the weights: at most {np.abs(np.diag(off)).max():.1%} off on the diagonal"
    )
    print(draw(draws[0, :, 0]))
    if save_picture(draws, mean, names, "posterior.png"):
        print("The picture is in posterior.png.")


if __name__ == "__main__":
    main()
