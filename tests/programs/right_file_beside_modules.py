# expects: nothing
import sys
from pathlib import Path

folder = Path(__file__).with_name("exercises")
folder.mkdir(exist_ok=True)
(folder / "colorsys.py").write_text("red = 1")
sys.path.insert(0, str(folder))

import colorsys

try:
    print(colorsys.green)
except AttributeError:
    print(colorsys.red)
