"""People outside the team: how they join, which terms they accept, the page on which they submit predictions."""
