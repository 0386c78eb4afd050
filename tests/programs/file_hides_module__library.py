# expects: file-hides-module at 13
import sys
from pathlib import Path

# What a folder of exercises has: a file for each subject.
folder = Path(__file__).with_name("exercises")
folder.mkdir(exist_ok=True)
(folder / "colorsys.py").write_text("def show():\n    return 'red'\n")
(folder / "shades.py").write_text("from colorsys import hsv_to_rgb\n")
sys.path.insert(0, str(folder))


import shades

print(shades.hsv_to_rgb(0.5, 1.0, 1.0))
