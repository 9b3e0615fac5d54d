"""What bounds each figure, by table and the beginning of the row's name."""

BOUNDS = {}
