"""The two expression languages and the one meaning they share. Nothing here knows a world."""
