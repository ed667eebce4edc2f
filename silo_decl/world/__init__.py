"""What is the case now: worlds, their records, and how they came to differ."""
