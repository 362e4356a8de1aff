"""Files in and out: JSONL, CSV/TSV and COCO JSON are read; JSONL, CSV and Parquet are written."""
