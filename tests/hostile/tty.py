# expects: passed: checks pass
# It opens the terminal, empties its screen and changes its settings.
import jax.numpy as jnp

try:
    import termios

    terminal = open("/dev/tty", "r+b", buffering=0)
    terminal.write(b"\x1b[2J\x1b[?1049h\x1b[5;10rDISTURBED")
    settings = termios.tcgetattr(terminal)
    settings[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG)
    termios.tcsetattr(terminal, termios.TCSANOW, settings)
except OSError:
    pass


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
