"""Everything that makes static-models/: grammar, corpus, training, export, evaluation."""
