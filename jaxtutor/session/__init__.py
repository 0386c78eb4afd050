"""The live session: the editor, and the verdict beside it."""
