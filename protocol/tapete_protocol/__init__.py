"""What travels between a client and a node: commands, events, frames, codes, and the codec with its limits."""
