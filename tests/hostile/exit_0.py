# expects: crashed: exit status 0
# in diagnose: clean: ran without errors
# It ends its process as if all were well.
import os


def safe_clip_positive(x):
    os._exit(0)


if __name__ == "__main__":
    safe_clip_positive(1)
