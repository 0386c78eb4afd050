# expects: raised: SystemExit
# It leaves with a text.
# in diagnose: clean|found: 
import sys


def safe_clip_positive(x):
    sys.exit('that is all')
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
