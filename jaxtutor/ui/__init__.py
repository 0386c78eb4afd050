"""What the learner sees and presses: rendering and the live session."""
