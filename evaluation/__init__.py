"""What models do with the work that people made and vouched for."""
