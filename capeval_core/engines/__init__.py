"""The same scoring in chunks: on this machine's cores (local.py) or on a Ray cluster (ray.py), with the same numbers.

What the whole corpus decides is counted first and frozen (counting.py); then chunks are scored one by one (tasks.py).
`runs.py` scores files of any length into a file, going on where an earlier run stopped; `batches.py` scores what is in
memory already.
"""
