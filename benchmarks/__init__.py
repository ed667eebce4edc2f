"""What the design promises, measured against plain ways of doing the same in the same run."""
