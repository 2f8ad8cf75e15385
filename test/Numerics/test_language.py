"""What TorchScript programs do beside tensor arithmetic. Control flow here hangs on tensors' values, so it must survive."""

import enum
import zipfile
from typing import Dict, List, NamedTuple, Optional, Tuple

import pytest
import torch
from torch import Tensor, nn


class IfOnAValue(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if bool(x.sum() > 0):
            return x * 2
        return x - 1


class WhileOnAValue(nn.Module):
    def forward(self, x: Tensor) -> Tuple[Tensor, int]:
        steps = 0
        while bool(x.abs().max() > 1.0):
            x = x * 0.5
            steps += 1
        return x, steps


class BreakOnAValue(nn.Module):
    def forward(self, x: Tensor, limit: float) -> Tuple[Tensor, int]:
        total = torch.zeros(x.size(1))
        row = 0
        for row in range(x.size(0)):
            total = total + x[row]
            if float(total.sum()) > limit:
                break
        return total, row


class NestedFlow(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        for i in range(3):
            if bool(x[i] > 0):
                while bool(x.sum() < 10):
                    x = x + float(i + 1)
            elif i == 1:
                x = -x
        return x


@pytest.mark.parametrize("sign", [1, -1])
def test_if_on_a_value(sign, agrees):
    agrees(IfOnAValue(), sign * torch.rand(4, 5))


@pytest.mark.parametrize("scale", [0.5, 3.0, 1000.0])
def test_while_on_a_value(scale, agrees):
    agrees(WhileOnAValue(), scale * torch.ones(6))


@pytest.mark.parametrize("limit", [0.5, 7.0, 1e9])
def test_break_on_a_value(limit, agrees):
    agrees(BreakOnAValue(), torch.rand(8, 3), limit)


@pytest.mark.parametrize("values", [[1.0, -2.0, 0.5], [-1.0, -1.0, -1.0], [-1.0, 2.0, -3.0]])
def test_nested_flow(values, agrees):
    agrees(NestedFlow(), torch.tensor(values))


class RaisesOnAValue(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if bool(x.min() < 0):
            raise ValueError("negative value among {} rows".format(x.size(0)))
        return x.sqrt()


class AssertsASize(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        assert x.size(0) == 3, "expected three rows"
        return x + 1


def test_no_exception(agrees):
    agrees(RaisesOnAValue(), torch.rand(3, 4))


def test_exception_on_a_value(saved, jit_run):
    archive, _ = saved(RaisesOnAValue())
    line = RaisesOnAValue.forward.__code__.co_firstlineno + 2
    outcome = jit_run(archive, -torch.rand(3, 4))
    outcome.assert_fails_with("ValueError", "negative value among 3 rows", f"test_language.py:{line}")


def test_assertion_on_a_size(agrees, saved, jit_run):
    agrees(AssertsASize(), torch.rand(3))
    archive, _ = saved(AssertsASize())
    jit_run(archive, torch.rand(2)).assert_fails_with("AssertionError", "expected three rows")


class Optionals(nn.Module):
    def forward(self, x: Tensor, scale: Optional[float] = None, bias: Optional[Tensor] = None) -> Tensor:
        if scale is not None:
            x = x * scale
        if bias is not None:
            x = x + bias
        return x


class OptionalByValue(nn.Module):
    """Whether the Optional holds something is known only when it runs."""

    def forward(self, x: Tensor) -> Tensor:
        found: Optional[Tensor] = None
        if bool(x.sum() > 0):
            found = x * 3
        if found is None:
            return x
        return found + 1


@pytest.mark.parametrize("scale", [None, 2.5])
@pytest.mark.parametrize("bias", [None, torch.ones(3)])
def test_optionals(scale, bias, agrees):
    agrees(Optionals(), torch.rand(2, 3), scale, bias)


def test_default_arguments(agrees):
    agrees(Optionals(), torch.rand(2, 3))


def test_an_optional_that_data_choose(agrees):
    agrees(OptionalByValue(), torch.rand(4))
    agrees(OptionalByValue(), -torch.rand(4))


class InPlace(nn.Module):
    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        y = x.clone()
        y.add_(1).mul_(2)
        y[0].zero_()
        y[:, 1] = 7.0
        y[1:, ::2] += x[1:, ::2]
        row = y[-1]
        row.neg_()
        return y, row.sum()


class ViewAndBase(nn.Module):
    """A write through the base shows in the view and the other way round."""

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        base = x + 0
        view = base.view(-1)[2:8].view(2, 3)
        base.mul_(10)
        view[0, 1] = -1.0
        base.t().add_(0.5)
        return base, view


class InPlaceInALoop(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        out = torch.zeros_like(x)
        for i in range(x.size(0)):
            if bool(x[i].sum() > 0):
                out[i] = x[i] * 2
            else:
                out[i, 0] = -1.0
        return out


def test_in_place(agrees):
    agrees(InPlace(), torch.randn(4, 5))


def test_view_and_base(agrees):
    agrees(ViewAndBase(), torch.randn(3, 4))


def test_in_place_in_a_loop(agrees):
    agrees(InPlaceInALoop(), torch.randn(6, 3))


class Appends(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        rows: List[Tensor] = []
        for i in range(x.size(0)):
            rows.append(x[i] * i)
        rows.append(x[0])
        return torch.stack(rows)


class ListOfNumbers(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        sizes = [x.size(0), 2]
        sizes.append(x.size(1) // 2)
        return x.reshape(sizes) * len(sizes) + sum(sizes)


def test_list_append(agrees):
    agrees(Appends(), torch.randn(5, 3))


def test_list_of_numbers(agrees):
    agrees(ListOfNumbers(), torch.randn(3, 4))


class Pair(NamedTuple):
    low: Tensor
    high: Tensor


class NestedTuples(nn.Module):
    def forward(self, pair: Tuple[Tensor, Tuple[int, Tensor]]) -> Tuple[Tuple[Tensor, int], Tensor]:
        a, (n, b) = pair
        return (a * n, n + 1), b - a


class NamedTupleOut(nn.Module):
    def forward(self, x: Tensor) -> Pair:
        return Pair(x.clamp(max=0.0), x.clamp(min=0.0))


class DictOut(nn.Module):
    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        return {"twice": x * 2, "sum": x.sum(dim=0)}


class ListOut(nn.Module):
    def forward(self, x: Tensor) -> List[Tensor]:
        return [x[:2], x[2:]]


class NumbersOut(nn.Module):
    def forward(self, x: Tensor, n: int, f: float, b: bool) -> Tuple[int, float, bool]:
        return n * 2 + x.size(0), f / 4, not b


def test_nested_tuples(agrees):
    agrees(NestedTuples(), (torch.rand(3), (4, torch.rand(3))))


def test_named_tuple_out(agrees):
    agrees(NamedTupleOut(), torch.randn(4))


def test_dict_out(agrees):
    agrees(DictOut(), torch.randn(4, 2))


def test_list_out(agrees):
    agrees(ListOut(), torch.randn(4, 2))


def test_numbers_out(agrees):
    agrees(NumbersOut(), torch.rand(5), 3, 1.5, True)


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))
        self.calls = 0

    def forward(self, x: Tensor) -> Tuple[Tensor, int]:
        self.total += x[0]
        self.calls += 1
        return self.total * 1.0, self.calls

    @torch.jit.export
    def twice(self, x: Tensor) -> Tensor:
        return self.forward(x)[0] + self.forward(x)[0]


def test_state_over_calls(saved, jit_run):
    archive, reference = saved(Counter())
    rows = torch.randn(7, 3)
    totals, calls = zip(*(reference(row[None]) for row in rows))
    jit_run(archive, repeat_over=rows).assert_close([torch.stack(totals), torch.tensor(calls)])


def test_an_exported_method(agrees):
    agrees(Counter(), torch.randn(1, 3), method="twice")


class Dtypes(nn.Module):
    def forward(self, i: Tensor, f: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        return i + f, i / 2, i // 2, f.to(torch.int64), (f > 0) & (i > 0)


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64, torch.uint8])
def test_dtypes_promote_as_in_pytorch(dtype, agrees):
    agrees(Dtypes(), torch.arange(6).to(dtype), torch.randn(6))


class PythonNumbers(nn.Module):
    def forward(self, x: Tensor, a: int, b: int) -> Tuple[int, int, float, float, Tensor]:
        return a // b, a % b, a / b, -a ** 2, x * (a // b) + a % b


@pytest.mark.parametrize("a, b", [(7, 2), (-7, 2), (7, -2), (-7, -2)])
def test_python_numbers(a, b, agrees):
    agrees(PythonNumbers(), torch.rand(3), a, b)


def test_division_by_zero(saved, jit_run):
    archive, _ = saved(PythonNumbers())
    jit_run(archive, torch.rand(3), 1, 0).assert_fails_with("division by")


class Breaks(nn.Module):
    def forward(self, x: Tensor) -> Tuple[Tensor, int]:
        count = 0
        for i in range(10):
            if i == 2:
                continue
            if float(x.sum()) * i > 5.0:
                break
            count += i
        while True:
            count += 1
            if count > 20:
                break
        return x + count, count


@pytest.mark.parametrize("value", [0.1, 1.0, -1.0])
def test_breaks(value, agrees):
    agrees(Breaks(), torch.full((2,), value))


class LeavesAfterData(nn.Module):
    """What a break or a return leaves undefined has the type that it has on the other way."""

    def forward(self, x: Tensor, n: int) -> Tensor:
        for i in range(n):
            if i % 2 == 0:
                continue
            x = x + float(i)
            if bool(x.sum() > 100):
                break
        while bool(x.norm() > 0.5):
            x = x * 0.5
            if bool(x[0] > 20):
                return x
        return x + 1


@pytest.mark.parametrize("value", [0.1, 30.0, 1000.0])
def test_breaks_and_returns_by_data(value, agrees):
    agrees(LeavesAfterData(), torch.full((2,), value), 70)


@pytest.mark.parametrize("x", [torch.tensor([1, 2]), torch.tensor(3), torch.tensor(0.5), torch.rand(2).half()])
def test_numbers_that_a_trace_keeps_as_tensors(x, agrees):
    """They stay numbers where the element type of a result follows from its operands."""

    class Numbers(nn.Module):
        def forward(self, x):
            return x * 1.5, x + 2.5, x - 0.5, x / 3, 1.5 * x, torch.add(x, 2.5, alpha=1), x.div(1.5, rounding_mode="floor")

    agrees(torch.jit.trace(Numbers(), (x,), check_trace=False), x)


class NamedMode(nn.Module):
    def forward(self, x: Tensor, mode: str) -> Tensor:
        if mode == "relu":
            return x.relu()
        raise ValueError("expected {relu}, got " + mode + f" of {len(mode)} letters and {{}}")


def test_text_of_the_call_in_an_exception(saved, jit_run):
    archive, _ = saved(NamedMode())
    flags = ["--input=f32[2]", '--input="{tanh}"']
    jit_run(archive, flags=flags).assert_fails_with("ValueError: expected {relu}, got {tanh} of 6 letters and {}")


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class UsesEnum(nn.Module):
    def __init__(self, color):
        super().__init__()
        self.color = color

    def forward(self, x: Tensor) -> Tensor:
        if self.color == Color.GREEN:
            return x * self.color.value
        return x + len(self.color.name)


@pytest.mark.parametrize("color", list(Color))
def test_enum(color, agrees):
    agrees(UsesEnum(color), torch.rand(3))


def scaled(x: Tensor, n: int) -> Tensor:
    return x * n


class Squares(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * x


class Forks(nn.Module):
    def __init__(self):
        super().__init__()
        self.squares = Squares()

    def forward(self, x: Tensor) -> Tensor:
        later = torch.jit.fork(scaled, x, 3)
        futures: List[torch.jit.Future[Tensor]] = []
        for i in range(3):
            futures.append(torch.jit.fork(self.squares, x + i))
        parts: List[Tensor] = []
        for future in futures:
            parts.append(torch.jit.wait(future))
        return torch.stack(parts) + torch.jit.wait(later)


def test_forks(agrees):
    agrees(Forks(), torch.rand(2, 3))


@torch.jit.interface
class Activation(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class UsesInterface(nn.Module):
    activation: Activation

    def __init__(self):
        super().__init__()
        self.activation = Squares()

    def forward(self, x: Tensor) -> Tensor:
        return self.activation.forward(x) + 1


def test_interface(agrees):
    agrees(UsesInterface(), torch.rand(3))


class Refines(nn.Module):
    def forward(self, x: Tensor, y: Optional[Tensor]) -> Tensor:
        if isinstance(y, Tensor):
            return x - y
        return x * 2


@pytest.mark.parametrize("y", [None, torch.ones(3)], ids=["none", "tensor"])
def test_is_instance(y, agrees):
    agrees(Refines(), torch.rand(3), y)


class Strings(nn.Module):
    def __init__(self, mode):
        super().__init__()
        self.mode = mode

    def forward(self, x: Tensor) -> Tuple[Tensor, int]:
        mode = self.mode.lower().strip()
        if mode.startswith("ab") and mode in ["abc", "abd"] and "b" in mode:
            x = x + len(mode)
        if f"{mode}-{x.size(0)}" == "q-2":
            x = x * 2
        if "-".join(mode.split("b")) == "a-c" and mode[1:] == "bc" and mode.endswith("c"):
            x = x - 5
        return x, mode.find("b")


@pytest.mark.parametrize("mode", ["ABC ", "abd", "Q", "  "])
def test_strings(mode, agrees):
    agrees(Strings(mode), torch.rand(2))


class WithoutGradients(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            y = x * 2
        return y


def test_with_no_grad(agrees):
    agrees(WithoutGradients(), torch.rand(2))


class Unreached(nn.Module):
    """An operator that is not there stands in a branch of training mode."""

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            x = x.bernoulli_(0.5)
        return x * 2


def test_an_operator_that_is_not_reached(agrees):
    agrees(Unreached(), torch.rand(2))


class SizesByTensors(nn.Module):
    def forward(self, x):
        rows = x.shape[0] // 2
        return x.reshape(rows, -1) + x.shape[1] * x.shape[0] / 2 + torch.arange(x.shape[0] * x.shape[1] // rows)


def test_sizes_by_tensors(saved, jit_run):
    x = torch.rand(6, 4)
    archive, reference = saved(torch.jit.trace(SizesByTensors(), x))
    jit_run(archive, x).assert_close(reference(x))
    # The program is one for all sizes.
    y = torch.rand(8, 5)
    jit_run(archive, y).assert_close(reference(y))


class OldOperators(nn.Module):
    def forward(self, x: Tensor, y: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        z = x.clone()
        z.div_(y)
        return x / y, x / 2, x / 2.5, torch.full([2, 3], 7), z


@pytest.mark.parametrize("dtype", [torch.int64, torch.float32])
def test_an_older_archive(dtype, tmp_path, jit_run):
    """PyTorch, which knows the old meaning too, is asked about an archive that says that it is old."""
    new, old = tmp_path / "new.pt", tmp_path / "old.pt"
    torch.jit.script(OldOperators()).save(str(new))
    with zipfile.ZipFile(new) as source, zipfile.ZipFile(old, "w") as target:
        for name in source.namelist():
            is_version = name.rpartition("/")[2] in ("version", ".data/version")
            target.writestr(name, b"3\n" if is_version else source.read(name))
    arguments = torch.tensor([7, -7, 9]).to(dtype), torch.tensor([2, 2, -4]).to(dtype)
    if dtype == torch.int64:
        assert torch.jit.load(str(old))(*arguments)[0].tolist() == [3, -3, -2]
    jit_run(old, *arguments).assert_close(torch.jit.load(str(old))(*arguments))


class PicksUntilABreak(nn.Module):
    """A loop that data ends is not written out: which element of a list it picks is known when it runs."""

    def forward(self, x: torch.Tensor, y: torch.Tensor, xs: List[torch.Tensor], limit: float):
        total, own, factors, steps = torch.zeros_like(x), [x, y, x + y, x * y], [0.5, 2.0, -3.0, 1.0], [3, 1, 2, 0]
        for i in range(len(own)):
            total = total + own[i] * factors[i] + xs[-1 - i] * steps[i]
            if bool(total.sum() > limit):
                break
        return total


@pytest.mark.parametrize("limit", [-100.0, 4.0, 1000.0])
def test_elements_picked_until_a_break(limit, agrees):
    agrees(PicksUntilABreak(), torch.ones(2, 3), torch.full((2, 3), 2.0), [torch.full((2, 3), float(i)) for i in range(4)], limit)
