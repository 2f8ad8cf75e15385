"""PyTorch's own samples of its operators (OpInfo). The import takes seconds: where not every test needs it, it is made when it is used."""

from torch.testing._internal import common_utils
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo import core

__all__ = ["op_db"]

# For each operator PyTorch walks the stack, twice, for the test of its own that asks: under pytest that takes longer than the samples.
for module in (common_utils, core):
    module.extract_test_fn = lambda: None
