"""torch.complex writes to an out= tensor of its own element type alone."""

import pytest
import torch


@pytest.mark.parametrize("part, out, is_taken", [(torch.float32, torch.complex64, True), (torch.float64, torch.complex64, False), (torch.float32, torch.complex128, False)])
def test_an_out_tensor_of_another_element_type(part, out, is_taken, jit_mlir):
    function = torch.jit.CompilationUnit("def f(x, out):\n    return torch.complex(x, x * 2, out=out)\n").f
    program, x = jit_mlir.compile(function), torch.tensor([1.0, -2.0], dtype=part)
    if is_taken:
        torch.testing.assert_close(program(x, torch.zeros(2, dtype=out)), function(x, torch.zeros(2, dtype=out)))
        return
    for run in (function, program):
        with pytest.raises((RuntimeError, jit_mlir.Error), match="scalar type|out= tensor of the result's element type"):
            run(x, torch.zeros(2, dtype=out))
