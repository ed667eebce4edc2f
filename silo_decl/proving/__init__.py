"""Whether tasks can be solved and their graders bite: damaged solutions, and what the checks make of them."""
