"""What an agent may do: the kinds of tool and one call from arguments to result."""
