"""PyTorch's own samples of its operators (OpInfo). The import takes seconds: where not every test needs it, it is made when it is used."""

from torch.testing._internal import common_utils
from torch.testing._internal.common_methods_invocations import op_db

__all__ = ["op_db"]

# For each sample PyTorch looks through the stack for the test of its own that asks for it, which takes longer than the sample.
common_utils.extract_test_fn = lambda: None
