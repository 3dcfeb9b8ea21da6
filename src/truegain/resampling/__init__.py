"""Units, designs and the generator: what is drawn or swapped."""
