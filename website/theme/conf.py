"""Configures Sphinx. `website/__main__.py` calls it, and passes the addresses in variables."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import jaxtutor

project = "jaxtutor"
author = "the authors of jaxtutor"
version = release = jaxtutor.__version__
copyright = author
extensions = ["myst_parser", "website.sphinx_extension"]
html_theme = "furo"
html_title = "jaxtutor"
html_baseurl = os.environ.get("JAXTUTOR_SITE", "")
_theme = str(Path(__file__).parent)
templates_path = [f"{_theme}/templates"]
html_css_files = ["site.css"]
html_additional_pages = {"search": "search.html"}
html_copy_source = False
html_show_sourcelink = False
html_use_index = False
html_domain_indices = False
html_theme_options: dict[str, Any] = {"top_of_page_buttons": []}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
highlight_language = "none"
myst_disable_syntax = ["myst_line_comment", "myst_role", "myst_block_break", "math_inline"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
