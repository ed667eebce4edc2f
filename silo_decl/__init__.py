"""Silo, declared: simulated worlds for AI agents from JSON facts and YAML."""
