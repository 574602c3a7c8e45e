"""The XLA engine: programs as StableHLO text. Printing needs nothing installed."""
