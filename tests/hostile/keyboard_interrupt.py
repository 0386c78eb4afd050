# expects: raised: KeyboardInterrupt
# It raises what Ctrl-C raises.
def safe_clip_positive(x):
    raise KeyboardInterrupt


if __name__ == "__main__":
    safe_clip_positive(1)
