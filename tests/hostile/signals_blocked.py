# expects: timed_out: still running after
# It blocks every signal, and loops in C.
import signal

signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
sum(range(10**18))
