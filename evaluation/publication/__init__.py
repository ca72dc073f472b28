"""What readers outside the team see of a benchmark: public pages and files of the releases that were opened."""
