# expects: raised: EOFError
# It asks a question, and nobody is there.
# in diagnose: timed_out|raised: 
def safe_clip_positive(x):
    return float(input("x? "))


if __name__ == "__main__":
    safe_clip_positive(1)
