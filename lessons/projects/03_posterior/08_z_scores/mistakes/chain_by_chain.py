# expects: check values
# says: Your answer computes an effective sample size for each chain and adds them up. Chains that
#     disagree then seem to be worth more than they are.
"""Adds up the sizes of the chains."""

import jax
import jax.numpy as jnp
import numpy as np


def log_density(q, X, y):
    """Return the log density of q = (weights, log variance) given the data, up to a constant."""
    w, u = q[:-1], q[-1]
    misfit = jnp.sum((y - X @ w) ** 2) + jnp.sum(w**2)
    scales = (X.shape[0] + w.shape[0]) / 2 * u  # each normal density has one factor variance**-0.5
    prior = -4 * u - 2 * jnp.exp(-u)
    return prior - scales - misfit / 2 * jnp.exp(-u) + u  # + u: the density of u, not of exp(u)


def leapfrog(logp, q, p, step, n):
    """Return place and momentum (q, p) after n steps of length step; logp is the log density."""
    slope = jax.grad(logp)

    def move(state, _):
        q, p = state
        p = p + step / 2 * slope(q)
        q = q + step * p
        p = p + step / 2 * slope(q)  # at the new place
        return (q, p), None

    return jax.lax.scan(move, (q, p), length=n)[0]


def hmc_step(key, logp, q, step, n):
    """Return the next place of the chain, and the probability with which its path was accepted."""
    momentum_key, accept_key = jax.random.split(key)
    p = jax.random.normal(momentum_key, q.shape)
    new_q, new_p = leapfrog(logp, q, p, step, n)
    before = jnp.sum(p**2) / 2 - logp(q)
    after = jnp.sum(new_p**2) / 2 - logp(new_q)
    # A path that leaves the density for good has no energy: NaN. It is rejected.
    change = jnp.where(jnp.isnan(after), jnp.inf, after - before)
    probability = jnp.exp(jnp.minimum(0.0, -change))
    accepted = jax.random.uniform(accept_key) < probability
    return jnp.where(accepted, new_q, q), probability


def sample(key, logp, starts, step, n, draws):
    """Return the places of each chain, shape (chains, draws, d), and their probabilities."""

    def chain(key, start):
        def move(q, key):
            q, probability = hmc_step(key, logp, q, step, n)
            return q, (q, probability)

        return jax.lax.scan(move, start, jax.random.split(key, draws))[1]

    return jax.vmap(chain)(jax.random.split(key, starts.shape[0]), starts)


def adapt(state, probability, target=0.8):
    """Return the state of the adaptation after a transition with this probability."""
    count = state["count"] + 1
    weight = 1 / (count + 10)
    shortfall = (1 - weight) * state["shortfall"] + weight * (target - probability)
    log_step = state["anchor"] - jnp.sqrt(count) / 0.05 * shortfall
    share = count**-0.75  # 1 at first, so that the 0 of the start is forgotten
    log_average = share * log_step + (1 - share) * state["log_average"]
    found = {"log_step": log_step, "log_average": log_average}
    return {**state, **found, "shortfall": shortfall, "count": count}


def begin(step):
    """Return the state of an adaptation that starts with a step length."""
    zero = jnp.float32(0.0)
    logs = {"anchor": jnp.log(10.0 * step), "log_step": jnp.log(step), "log_average": zero}
    return {**logs, "shortfall": zero, "count": zero}


def warm_up(key, logp, starts, first, n, draws):
    """Run the chains for some draws; return their last places and the step length found."""

    def move(carry, key):
        places, state = carry
        step = jnp.exp(state["log_step"])
        keys = jax.random.split(key, starts.shape[0])
        places, probabilities = jax.vmap(lambda k, q: hmc_step(k, logp, q, step, n))(keys, places)
        return (places, adapt(state, probabilities.mean())), None

    keys = jax.random.split(key, draws)
    (places, state), _ = jax.lax.scan(move, (starts, begin(jnp.float32(first))), keys)
    return places, jnp.exp(state["log_average"])


def r_hat(draws):
    """Return how much wider all chains together are than each half of one; draws (chains, n)."""
    half = draws.shape[1] // 2
    parts = draws.reshape(-1, half)  # each chain becomes two: a drift is a disagreement as well
    within = parts.var(axis=1, ddof=1).mean()
    between = parts.mean(axis=1).var(ddof=1)
    return jnp.sqrt(((half - 1) / half * within + between) / within)


def ess(draws):
    """Return how many independent draws are worth as much; draws (chains, n)."""
    chains, n = draws.shape
    off = draws - draws.mean()
    # The product of a transform and its conjugate is a correlation, around a circle. With n zeros
    # behind the draws, the end of a chain does not meet its start.
    power = jnp.abs(jnp.fft.rfft(off, 2 * n)) ** 2
    products = jnp.fft.irfft(power, 2 * n)[:, :n].mean(axis=0)
    pairs = (products / products[0]).reshape(-1, 2).sum(axis=1)
    kept = jnp.cumprod(pairs > 0)  # 0 from the first pair that is not positive
    time = 2 * jnp.sum(pairs * kept) - 1
    return chains * n / jnp.maximum(time, 0.1)


def z_scores(draws, mean):
    one = jax.vmap(lambda chain: ess(chain[None]))
    sizes = jax.vmap(one, in_axes=-1)(draws).sum(axis=1)
    error = draws.std(axis=(0, 1)) / jnp.sqrt(sizes)
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
