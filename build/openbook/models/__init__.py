"""Which weights, from where, by which hash; and the ONNX encoder that runs them."""
