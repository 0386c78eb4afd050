"""How things look in a terminal; the only package that draws with rich."""
