"""Models in files, without pickle: our own format, and ONNX."""
