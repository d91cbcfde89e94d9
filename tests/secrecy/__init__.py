"""What nobody may be told: searched for in what a node says."""
