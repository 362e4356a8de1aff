"""Training of the small models CapEval ships: repeatable, seeded, resumable."""
