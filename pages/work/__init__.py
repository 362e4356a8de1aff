"""What pages work on: background jobs, scores by content, uploads, the open data set, the visitor's workspace."""
