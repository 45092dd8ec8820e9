"""The slow, obvious reader that says what the product should say. See README.md."""
