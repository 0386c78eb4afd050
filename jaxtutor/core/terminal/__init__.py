"""Keys, layout and output of a terminal, decided without one."""
