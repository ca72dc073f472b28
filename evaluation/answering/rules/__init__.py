"""What is asked and in which order, the pictures and examples that belong to it, and the journal of what came back."""
