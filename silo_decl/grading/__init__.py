"""Questions about the end of a rollout, and the one reward they give."""
