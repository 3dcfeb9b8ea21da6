"""Test sets and system outputs whose true quality is known by construction."""

from benchmarks.simulation.systems import SimulatedTestSet, SystemSpec, simulate

__all__ = ["SimulatedTestSet", "SystemSpec", "simulate"]
