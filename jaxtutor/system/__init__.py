"""What this machine has: an editor, accelerators, standard streams."""
