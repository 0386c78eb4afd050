# expects: raised: GeneratorExit
# It raises what ends a generator.
def safe_clip_positive(x):
    raise GeneratorExit


if __name__ == "__main__":
    safe_clip_positive(1)
