"""Training steps, forward, backward and update in one, beside PyTorch's."""

import copy
import subprocess

import numpy as np
import pytest
import torch
from conftest import tool
from torch import nn


class Normalized(nn.Module):
    """Returns the loss of a small net with a batch norm."""

    def __init__(self):
        super().__init__()
        self.first, self.norm, self.last = nn.Linear(6, 5), nn.BatchNorm1d(5), nn.Linear(5, 1)

    def forward(self, x, target):
        return ((self.last(torch.relu(self.norm(self.first(x)))) - target) ** 2).mean()


class Classifier(nn.Module):
    """The loss of a net of three conv-batchnorm-relu blocks."""

    def __init__(self):
        super().__init__()
        sizes = (3, 16, 32, 64)
        self.blocks = nn.Sequential(*[nn.Sequential(nn.Conv2d(a, b, 3, stride=2, padding=1), nn.BatchNorm2d(b), nn.ReLU())
                                      for a, b in zip(sizes, sizes[1:])])
        self.last = nn.Linear(64, 10)
        self.loss = nn.NLLLoss()

    def forward(self, x, target):
        features = self.blocks(x).mean((2, 3))
        return self.loss(torch.log_softmax(self.last(features), 1), target)


class Regression(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(6, 5), nn.Linear(5, 1)

    def forward(self, x, target):
        return ((self.second(torch.tanh(self.first(x))) - target) ** 2).mean()


class Partly(nn.Module):
    """Of which one parameter has no gradient."""

    def __init__(self):
        super().__init__()
        self.first, self.scale = nn.Linear(6, 1), nn.Parameter(torch.full((1,), 2.0))

    def forward(self, x, target):
        return ((self.first(x) * self.scale.detach() - target) ** 2).mean()


OPTIMIZERS = {
    "sgd": (torch.optim.SGD, dict(lr=0.05), ["--lr=0.05"]),
    "sgd with momentum": (torch.optim.SGD, dict(lr=0.05, momentum=0.9), ["--lr=0.05", "--momentum=0.9"]),
    "sgd with everything": (torch.optim.SGD, dict(lr=0.05, momentum=0.9, dampening=0.2, weight_decay=0.1),
                            ["--lr=0.05", "--momentum=0.9", "--dampening=0.2", "--weight-decay=0.1"]),
    "sgd with nesterov": (torch.optim.SGD, dict(lr=0.05, momentum=0.9, nesterov=True),
                          ["--lr=0.05", "--momentum=0.9", "--nesterov"]),
    "adam": (torch.optim.Adam, dict(lr=0.01), ["--lr=0.01"]),
    "adam with decay": (torch.optim.Adam, dict(lr=0.01, weight_decay=0.1, betas=(0.8, 0.95), eps=1e-6),
                        ["--lr=0.01", "--weight-decay=0.1", "--beta1=0.8", "--beta2=0.95", "--eps=1e-6"]),
    "adamw": (torch.optim.AdamW, dict(lr=0.01, weight_decay=0.1), ["--lr=0.01", "--weight-decay=0.1"]),
}


def train_eagerly(model, optimizer, arguments, steps):
    """The losses; the model ends trained."""
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = model(*arguments)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return np.array(losses)


def train_compiled(folder, scripted, name, flags, arguments, steps):
    """(losses, {path: trained parameter or buffer}), by jit-run."""
    scripted.save(str(folder / "model.pt"))
    command = [tool("jit-run"), folder / "model.pt", f"--train={steps}", f"--optimizer={name}", f"--output={folder / 'out'}",
               "--verify-stages", "--threads=2", *flags]
    for number, argument in enumerate(arguments):
        np.save(folder / f"{number}.npy", argument.numpy())
        command.append(f"--input=@{folder / f'{number}.npy'}")
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    trained = {path.name[len("out.param."):-len(".npy")]: np.load(path) for path in folder.glob("out.param.*.npy")}
    return np.load(folder / "out.loss.npy"), trained


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_optimizers_step_as_pytorchs(tmp_path, optimizer):
    make, options, flags = OPTIMIZERS[optimizer]
    model = Regression()
    arguments = torch.randn(16, 6), torch.randn(16, 1)
    losses, trained = train_compiled(tmp_path, torch.jit.script(copy.deepcopy(model)), optimizer.split()[0], flags, arguments, 10)
    expected = train_eagerly(model, make(model.parameters(), **options), arguments, 10)
    np.testing.assert_allclose(losses, expected, rtol=1e-4)
    assert set(trained) == {name for name, _ in model.named_parameters()}
    for name, parameter in model.named_parameters():
        np.testing.assert_allclose(trained[name], parameter.detach().numpy(), rtol=1e-3, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("optimizer", ["sgd with everything", "adam with decay", "adamw"])
def test_a_parameter_without_a_gradient_does_not_decay(tmp_path, optimizer):
    make, options, flags = OPTIMIZERS[optimizer]
    model = Partly()
    arguments = torch.randn(16, 6), torch.randn(16, 1)
    _, trained = train_compiled(tmp_path, torch.jit.script(copy.deepcopy(model)), optimizer.split()[0], flags, arguments, 5)
    train_eagerly(model, make(model.parameters(), **options), arguments, 5)
    for name, parameter in model.named_parameters():
        np.testing.assert_allclose(trained[name], parameter.detach().numpy(), rtol=1e-3, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("is_saved_for_training", [True, False])
def test_batch_norm_is_trained_in_training_mode(tmp_path, is_saved_for_training):
    model = Normalized()
    arguments = torch.randn(32, 6), torch.randn(32, 1)
    scripted = torch.jit.script(copy.deepcopy(model).train(is_saved_for_training))
    losses, _ = train_compiled(tmp_path, scripted, "adam", ["--lr=0.01"], arguments, 20)
    expected = train_eagerly(model.train(), torch.optim.Adam(model.parameters(), lr=0.01), arguments, 20)
    assert expected[-1] < 0.9 * expected[0], "the test's own net must learn something"
    np.testing.assert_allclose(losses, expected, rtol=1e-3)


def test_three_blocks_follow_eagers_curve(tmp_path):
    model = Classifier().train()
    arguments = torch.randn(128, 3, 28, 28), torch.randint(0, 10, (128,))
    losses, _ = train_compiled(tmp_path, torch.jit.script(copy.deepcopy(model)), "adam", ["--lr=0.001"], arguments, 20)
    expected = train_eagerly(model, torch.optim.Adam(model.parameters(), lr=0.001), arguments, 20)
    assert expected[-1] < 0.9 * expected[0], "the test's own net must learn something"
    np.testing.assert_allclose(losses, expected, rtol=1e-3)


def test_a_loss_of_many_elements_is_refused(tmp_path):
    class Vector(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(3))

        def forward(self, x):
            return x * self.weight

    torch.jit.script(Vector()).save(str(tmp_path / "model.pt"))
    command = [tool("jit-run"), tmp_path / "model.pt", "--train=1", "--input=f32[3]"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "expected a loss of one floating element" in done.stderr
