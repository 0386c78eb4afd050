"""What is printed for programs: JSON, JUnit, grades, health."""
