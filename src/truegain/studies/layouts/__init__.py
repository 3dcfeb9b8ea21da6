"""One table instead of everything: what people paste into papers."""
