"""Rates, stories and pages made of what rollouts left behind."""
