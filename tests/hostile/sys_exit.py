# expects: raised: SystemExit
# It leaves by sys.exit, with the status of success.
# in diagnose: clean|found: 
import sys


def safe_clip_positive(x):
    sys.exit(0)
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
