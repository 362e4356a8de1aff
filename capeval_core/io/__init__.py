"""Files in and out: data sets in every format, workspaces, images, scores; what strangers bring is never trusted."""
