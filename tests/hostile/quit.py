# expects: raised: SystemExit
# It leaves by quit(), as at a prompt.
# in diagnose: clean|found: 
import sys


def safe_clip_positive(x):
    quit()
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
