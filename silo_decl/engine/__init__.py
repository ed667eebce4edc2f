"""One task, one agent, one fresh world."""
