"""Examines the machine: editor, accelerators, standard streams."""
