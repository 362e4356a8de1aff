"""Files in and out: data sets in every format, workspaces, images, scores; what visitors bring is never trusted."""
