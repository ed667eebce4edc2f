"""What helps an author write an environment: scaffolds, data from spreadsheets, and playing the agent's part."""
