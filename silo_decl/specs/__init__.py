"""What an author's files say, as frozen facts. Only this layer reads YAML and JSON."""
