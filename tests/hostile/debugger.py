# expects: raised: 
# It stops in the debugger, where nobody answers.
# in diagnose: timed_out|raised: 
# not in repl: the debugger would wait for keys, which the prompt's next cell is not
def safe_clip_positive(x):
    breakpoint()
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
