# expects: crashed: SIGTERM
# It terminates its whole process group.
# not in diagnose: a script shares its group with the tutor, as the parts of a shell's pipeline do
import os
import signal


def safe_clip_positive(x):
    os.killpg(0, signal.SIGTERM)
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
