"""What a node tells in numbers."""
