"""Where and when rollouts happen."""
