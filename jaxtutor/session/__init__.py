"""The live session: the learner's editor, with the verdict beside or below it."""
