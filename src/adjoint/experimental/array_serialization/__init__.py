"""Arrays in the files of TensorStore: `serialization.py` writes and reads them. It needs the package tensorstore."""
