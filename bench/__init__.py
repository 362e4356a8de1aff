"""Speed against the originals, and the figures of the Guide page."""
