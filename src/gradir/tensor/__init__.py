"""The tensor level: StableHLO programs and their derivatives."""
