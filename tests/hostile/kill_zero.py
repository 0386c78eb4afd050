# expects: crashed: SIGKILL
# It kills process 0, which means its whole group.
# not in diagnose: a script shares its group with the tutor, as the parts of a shell's pipeline do
import os
import signal


def safe_clip_positive(x):
    os.kill(0, signal.SIGKILL)
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
