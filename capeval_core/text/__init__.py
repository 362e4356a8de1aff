"""Text preparation that several metrics share: the COCO tokenizer, stop words, stems, WordNet."""
