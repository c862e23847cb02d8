"""scikit-learn shells over the learners."""
