"""What is drawn or swapped: units, designs, and the generator behind them."""
