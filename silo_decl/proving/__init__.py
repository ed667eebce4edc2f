"""Is a task solvable, and does its grader bite: damaged solutions, and what the grader makes of them."""
