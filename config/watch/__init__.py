"""What whoever runs the site sees of it: health, figures and logs. Nothing here reads or writes what people made."""
