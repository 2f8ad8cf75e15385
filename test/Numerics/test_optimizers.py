"""PyTorch's optimizers under torch.compile, which write parameters and moments in place, tensor by tensor or by operators on lists."""

import warnings

import pytest
import torch
from torch import nn

OPTIMIZERS = {
    "SGD": (torch.optim.SGD, {"lr": 0.1}), "SGD with momentum": (torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    "Adam": (torch.optim.Adam, {"lr": 0.01}), "Adam, amsgrad": (torch.optim.Adam, {"lr": 0.01, "amsgrad": True, "weight_decay": 0.1}),
    "AdamW": (torch.optim.AdamW, {"lr": 0.01}), "RMSprop": (torch.optim.RMSprop, {"lr": 0.01, "momentum": 0.5, "centered": True}),
    "Adagrad": (torch.optim.Adagrad, {"lr": 0.1}), "Adadelta": (torch.optim.Adadelta, {}), "Adamax": (torch.optim.Adamax, {}),
    "NAdam": (torch.optim.NAdam, {}), "RAdam": (torch.optim.RAdam, {}), "ASGD": (torch.optim.ASGD, {}), "Rprop": (torch.optim.Rprop, {}),
}


def train(kind, options, foreach, compiled):
    """Parameters and state after four steps."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    optimizer = kind(model.parameters(), foreach=foreach, **options)
    step, x = compiled(optimizer.step), torch.randn(5, 4)
    for _ in range(4):
        optimizer.zero_grad()
        model(x).pow(2).sum().backward()
        step()
    state = [value for each in optimizer.state.values() for value in each.values() if torch.is_tensor(value)]
    return [value.detach().clone() for value in [*model.parameters(), *state]]


@pytest.mark.parametrize("foreach", (False, True), ids=("each", "lists"))
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_steps(jit_mlir, name, foreach):
    from jit_mlir import dynamo

    torch._dynamo.reset()
    dynamo.reset()
    want = train(*OPTIMIZERS[name], foreach, lambda step: step)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="jit_mlir")
        got = train(*OPTIMIZERS[name], foreach, lambda step: torch.compile(lambda: step(), backend=dynamo.backend))
    assert dynamo.graphs() and not any(graph.reason for graph in dynamo.graphs()), dynamo.report()
    torch.testing.assert_close(got, want, rtol=1e-5, atol=1e-6)


def arguments_for(schema):
    """A value for each argument without a default: lists of two tensors, a matrix each."""
    torch.manual_seed(0)
    kinds = {"List[Tensor]": lambda: [torch.rand(3, 3) + 0.5, torch.rand(2, 2) + 0.5], "Tensor": lambda: torch.tensor(1.5), "number": lambda: 1.5}
    needed = [argument for argument in schema.arguments if not argument.has_default_value()]
    return [kinds.get(str(argument.type), lambda: [0.75, 2.0])() for argument in needed]


def test_operators_on_lists(jit_mlir):
    from jit_mlir._foreach import rules

    assert len(rules()) > 70
    for operator, rule in rules().items():
        arguments = arguments_for(operator._schema)
        got, want = rule(*arguments), operator(*arguments)
        torch.testing.assert_close(got, list(want), rtol=0, atol=0, equal_nan=True, msg=lambda text, operator=operator: f"{operator}: {text}")
