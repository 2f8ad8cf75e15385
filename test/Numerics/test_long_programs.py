"""Programs of many thousand operators: nothing recurses along them, and no loop has all of them."""

import importlib.util

import pytest
import torch


def chain(count):
    def program(x):
        y = x
        for i in range(count):
            y = torch.sin(y) if i % 2 else y + x
        # Whether these copy hangs on the strides, which follow from the whole chain.
        y.t().contiguous().add_(1.0)
        y.t().reshape(-1).mul_(2.0)
        y.t().t().reshape(-1).add_(0.5)
        return y

    return program


@pytest.mark.parametrize("count", [300, 12000])
def test_a_chain(jit_mlir, count, monkeypatch):
    monkeypatch.setenv("JIT_CACHE", "off")
    x = torch.rand(2, 3)
    traced = torch.jit.trace(chain(count), x, check_trace=False)
    torch.testing.assert_close(jit_mlir.compile(traced)(x), chain(count)(x))


def test_gradients_of_a_chain(jit_mlir, monkeypatch):
    monkeypatch.setenv("JIT_CACHE", "off")
    x, other = torch.rand(2, 3, requires_grad=True), torch.rand(2, 3)
    with torch.no_grad():
        other.copy_(x)
    other.requires_grad_()
    program = jit_mlir.compile(torch.jit.trace(chain(300), torch.rand(2, 3), check_trace=False))
    program(x).sum().backward()
    chain(300)(other).sum().backward()
    torch.testing.assert_close(x.grad, other.grad)


WRITES = {
    "rows": ["x[{i} % 4] += {i}"],
    "rows_of_rows": ["x[{i} % 4] = x[{j} % 4] * 0.5 + x[{k} % 4].sum()"],
    "products": ["x[{i} % 4] = x @ x[{j} % 4] * 0.01"],
    "kept_for_later": ["row = x[{j} % 4]", "x[{i} % 4] = torch.softmax(x[{k} % 4], 0)", "x[{k} % 4] = torch.tanh(x[{i} % 4]) - 1.0"],
    "columns_and_rows": ["x[:, {j} % 4] *= 0.9", "x[1:3] += x[0:2] * 0.5"],
    "views": ["x = x.t()", "x.mul_(0.99)"],
    "copies": ["y = x.clone()", "x[{i} % 4] = y[{j} % 4] + 1.0"],
    "branches": ["if bool(x[{i} % 4, 0] > 0):", "    x[{j} % 4] *= 0.9", "else:", "    x[{k} % 4] += 0.1"],
    "lists": ["l.append(l[{i}] * 0.99 + x)"],
}


def written(lines, count, tmp_path):
    text = "".join(f"    {line.format(i=i, j=i * 3 + 1, k=i * 5 + 2)}\n" for i in range(count) for line in lines)
    path = tmp_path / "written.py"
    path.write_text("import torch\nfrom torch import Tensor\n\n\ndef program(x: Tensor):\n    x = x.clone()\n    l = [x]\n"
                    f"{text}    return x, torch.stack(l), torch.cat(l, 1)[:, -1]\n")
    spec = importlib.util.spec_from_file_location("written", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.program


@pytest.mark.parametrize("options", [{}, {"any_sizes": True}], ids=["exact", "any"])
@pytest.mark.parametrize("lines", WRITES.values(), ids=WRITES)
def test_many_writes_into_one_tensor(jit_mlir, lines, options, tmp_path, monkeypatch):
    monkeypatch.setenv("JIT_CACHE", "off")
    program = written(lines, 80, tmp_path)
    torch.jit.script(program).save(str(tmp_path / "written.pt"))
    x = torch.linspace(-1, 1, 16).reshape(4, 4)
    torch.testing.assert_close(jit_mlir.load(tmp_path / "written.pt", **options)(x), program(x))
