"""Hardly anything to be found."""

from project.training import fit

fit("config.yml")
