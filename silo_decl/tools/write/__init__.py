"""The kinds of tool that change the world, and the order in which each does its work."""
