"""Orbits: bodies that attract each other, and a probe that reaches its target."""

import jax
import jax.numpy as jnp
import numpy as np


def accelerations(x, m, softening):
    """Return the acceleration of each body, shape (n, d), caused by all the others."""
    apart = x[None, :, :] - x[:, None, :]  # apart[i, j] points from body i to body j
    square = jnp.sum(apart**2, axis=-1) + softening**2
    # A body does not attract itself. Its distance of 0 must not reach the power either, where the
    # slope is infinite and the gradient would be NaN.
    itself = jnp.eye(x.shape[0], dtype=bool)
    pull = jnp.where(itself, 0.0, m * jnp.where(itself, 1.0, square) ** -1.5)
    return jnp.sum(pull[:, :, None] * apart, axis=1)


def leapfrog(state, m, dt, softening):
    """Return the state (x, v) a time dt later."""
    x, v = state
    v = v + dt / 2 * accelerations(x, m, softening)
    x = x + dt * v
    v = v + dt / 2 * accelerations(x, m, softening)  # at the new places
    return x, v


def simulate(state, m, dt, softening, steps):
    """Return the states (x, v) after each step, arrays of shape (steps, n, d)."""

    def step(state, _):
        state = leapfrog(state, m, dt, softening)
        return state, state  # one goes on, one is collected

    return jax.lax.scan(step, state, length=steps)[1]


def energy(state, m, softening):
    """Return the kinetic energy of the bodies plus the potential energy of each pair, a number."""
    x, v = state
    kinetic = jnp.sum(m[:, None] * v**2) / 2
    square = jnp.sum((x[None, :, :] - x[:, None, :]) ** 2, axis=-1) + softening**2
    itself = jnp.eye(x.shape[0], dtype=bool)
    pairs = jnp.where(itself, 0.0, m[:, None] * m * jnp.where(itself, 1.0, square) ** -0.5)
    return kinetic - jnp.sum(pairs) / 2  # the table has each pair twice


def energy_error(state, m, dt, softening, steps):
    """Return the largest change of energy in a simulation, relative to the energy at the start."""
    states = simulate(state, m, dt, softening, steps)
    energies = jax.vmap(energy, in_axes=(0, None, None))(states, m, softening)
    start = energy(state, m, softening)
    return jnp.max(jnp.abs(energies - start)) / jnp.abs(start)


def fly(velocity, start, state, m, dt, softening, steps):
    """Return where a probe is after each step, shape (steps, d); it has no mass itself."""
    x, v = state
    together = jnp.vstack([x, start]), jnp.vstack([v, velocity])
    xs, _ = simulate(together, jnp.append(m, 0.0), dt, softening, steps)
    return xs[:, -1]


def aim(velocity, start, state, m, target, dt, softening, steps, rounds):
    """Return a velocity with which the probe ends at the target, improved in Newton's way."""

    def end(velocity):
        return fly(velocity, start, state, m, dt, softening, steps)[-1]

    def improve(velocity, _):
        miss = end(velocity) - target
        slopes = jax.jacfwd(end)(velocity)  # slopes[i, j]: of end[i], with respect to velocity[j]
        return velocity - jnp.linalg.solve(slopes, miss), None

    return jax.lax.scan(improve, velocity, length=rounds)[0]


def survey(velocities, start, state, m, target, dt, softening, steps):
    """Return how far from the target a probe ends with each of k velocities, shape (k,)."""

    def miss(velocity):
        end = fly(velocity, start, state, m, dt, softening, steps)[-1]
        return jnp.linalg.norm(end - target)

    return jax.vmap(miss)(velocities)  # what miss closes over is shared


def planets():
    """Return the state and the masses of a sun and two planets on round orbits."""
    radius, angle = jnp.array([1.0, 1.6]), jnp.array([0.3, 1.9])
    m = jnp.array([1.0, 3e-4, 1e-3])
    outwards = jnp.stack([jnp.cos(angle), jnp.sin(angle)], axis=1)
    along = jnp.stack([-jnp.sin(angle), jnp.cos(angle)], axis=1)
    x = jnp.vstack([jnp.zeros(2), radius[:, None] * outwards])
    v = jnp.vstack([jnp.zeros(2), along / jnp.sqrt(radius)[:, None]])
    return (x, v.at[0].set(-(m @ v) / m[0])), m  # so that the whole system stays where it is


def draw(tracks, marks, columns=72, rows=32):
    """Return a text in which each track, an array of places, is a line of its own character."""
    places = np.concatenate([np.asarray(track) for track in tracks.values()])
    low, size = places.min(axis=0), np.ptp(places, axis=0).max() + 1e-9
    canvas = [[" "] * columns for _ in range(rows)]

    def put(place, sign):
        column, row = (np.asarray(place) - low) / size * [columns - 1, rows - 1]
        canvas[rows - 1 - round(float(row))][round(float(column))] = sign

    for sign, track in tracks.items():
        for place in np.asarray(track):
            put(place, sign)
    for sign, place in marks.items():
        put(place, sign)
    return "\n".join("".join(line).rstrip() for line in canvas)


def save_picture(tracks, marks, names, file):
    """Save the tracks and marks as a PNG; return whether matplotlib is there to do it."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(6, 6))
    axes = figure.add_subplot(aspect="equal", xlabel="x", ylabel="y")
    axes.set_title("The flight of the probe, and the orbits of two planets")
    for sign, track in tracks.items():
        axes.plot(*np.asarray(track).T, label=names[sign])
    for sign, place in marks.items():
        axes.plot(*np.asarray(place), "o", label=names[sign])
    axes.legend()
    figure.savefig(file)
    return True


def main():
    """Launch a probe at the inner planet so that it meets the outer one, and draw its flight."""
    dt, softening, steps = 0.01, 0.02, 400
    state, m = planets()
    lost = jax.jit(energy_error, static_argnums=4)(state, m, dt, softening, steps)
    print(f"energy kept within {lost:.1e}")
    xs, _ = jax.jit(simulate, static_argnums=4)(state, m, dt, softening, steps)
    target, start, own = xs[-1, 2], 1.05 * state[0][1], state[1][1]

    angle = jnp.linspace(0, 2 * jnp.pi, 48, endpoint=False)
    speed = jnp.linspace(0.05, 0.5, 10)
    ways = jnp.stack([jnp.cos(angle), jnp.sin(angle)], axis=1)
    launches = own + (speed[:, None, None] * ways).reshape(-1, 2)
    misses = jax.jit(survey, static_argnums=7)(
        launches, start, state, m, target, dt, softening, steps
    )
    velocity = launches[jnp.argmin(misses)]
    print(f"best of {len(launches)} launches: {misses.min():.3f} from the target")

    better = jax.jit(aim, static_argnums=(7, 8))
    velocity = better(velocity, start, state, m, target, dt, softening, steps, 5)
    track = jax.jit(fly, static_argnums=6)(velocity, start, state, m, dt, softening, steps)
    print(f"aimed: {jnp.linalg.norm(track[-1] - target):.1e} from the target")

    tracks = {".": xs[:, 1], ":": xs[:, 2], "*": track}
    marks = {"O": xs[-1, 0], "S": start, "T": target}
    names = {".": "inner planet", ":": "outer planet", "*": "probe"}
    names |= {"O": "sun", "S": "start", "T": "target"}
    print(draw(tracks, marks))
    if save_picture(tracks, marks, names, "orbits.png"):
        print("The picture is in orbits.png.")


if __name__ == "__main__":
    main()
