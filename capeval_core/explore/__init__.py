"""Explore: what a captioner gets wrong, over a whole data set, down to the word.

findings.py is the plain data, kinds.py the table of errors, analyse.py the door: captions in, findings out. reading.py
and support.py judge words, the modules named after an error find it, and profile.py, compare.py, slices.py,
disagreement.py and wording.py say what many findings say together. The references are not the image: what nobody
mentions may still be there.
"""
