# expects: crashed: SIGTERM
# It terminates itself.
import os
import signal


def safe_clip_positive(x):
    os.kill(os.getpid(), signal.SIGTERM)
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
