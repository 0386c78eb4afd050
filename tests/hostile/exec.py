# expects: crashed: its process ended
# It turns into another program.
import os

os.execvp("sleep", ["sleep", "1000"])
