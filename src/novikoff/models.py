"""Models in files: saved and loaded without pickle, so that loading runs nothing."""

from novikoff.estimators.persistence.store import Model, load, load_model, save

__all__ = ["Model", "load", "load_model", "save"]
