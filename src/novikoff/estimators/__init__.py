"""scikit-learn classifiers: thin shells over the learners."""
