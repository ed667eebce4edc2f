"""Fixtures of the engine's tests."""

from tests.engine.rollouts import bench, desk

__all__ = ["bench", "desk"]
