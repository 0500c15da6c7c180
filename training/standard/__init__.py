"""The standard models: SmolLM2-135M-Instruct, its vocabulary pruned, fine-tuned to write one step a line."""
