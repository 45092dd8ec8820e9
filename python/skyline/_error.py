class Error(RuntimeError):
    """Everything Skyline raises by itself: one sentence that says what is wrong and what to do."""
