# expects: crashed: SIGTERM
# It terminates its whole process group.
import os
import signal


def safe_clip_positive(x):
    os.killpg(0, signal.SIGTERM)
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
