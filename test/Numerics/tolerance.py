"""How near a result has to be to PyTorch's, by its element type: ints and bools are equal, NaN is near NaN alone."""

import numpy as np

# Relative and absolute, of the sums of many products.
BY_TYPE = {"float16": (2e-3, 2e-4), "float32": (1e-4, 1e-5), "float64": (1e-9, 1e-11), "complex64": (1e-4, 1e-5),
           "complex128": (1e-9, 1e-11)}


def assert_near(got, want, rtol=None, atol=None, where=""):
    """Compares two arrays: element type, shape, then elements, floats by `rtol` and `atol` where a test says its own."""
    assert got.dtype == want.dtype, f"{where}: {got.dtype}, expected {want.dtype}"
    assert got.shape == want.shape, f"{where}: {got.shape}, expected {want.shape}"
    if str(want.dtype) not in BY_TYPE:
        np.testing.assert_array_equal(got, want, err_msg=where)
        return
    relative, absolute = BY_TYPE[str(want.dtype)]
    np.testing.assert_allclose(got, want, rtol=relative if rtol is None else rtol, atol=absolute if atol is None else atol, err_msg=where)
