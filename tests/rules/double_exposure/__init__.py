"""Double Exposure, point by point."""
