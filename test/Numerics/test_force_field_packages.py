"""Force fields of PyPI, scripted by their own code, with any number of atoms and edges: energies and forces as eager's, by jit-run
and as one file, which a program in C follows molecules with. Where scripts/force-fields has installed them."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
import torch
from artifacts import build_c
from conftest import ROOT
from force_fields import CUTOFF, FIELDS

INSTALLED = ROOT / "out" / "force-fields"
# Sums of thousands of terms in another order than PyTorch's.
TOLERANCE = {"f32": dict(rtol=2e-4, atol=2e-4), "f64": dict(rtol=1e-10, atol=1e-10)}
OPEN = "forward({x}[n,3], i64[n], i64[2,e])"
PERIODIC = "forward({x}[n,3], i64[n], i64[2,e], {x}[e,3], {x}[3,3])"


def scripted(name, tmp_path):
    package = FIELDS[name.partition(":")[0]][0]
    if not (INSTALLED / package / "stamp").exists():
        pytest.skip(f"scripts/force-fields {package} has not been run")
    program = ROOT / "test" / "Numerics" / "force_fields.py"
    process = subprocess.run([sys.executable, program, name, tmp_path], capture_output=True, text=True, timeout=600,
                             env={**os.environ, "PYTHONPATH": str(INSTALLED / package)})
    assert process.returncode == 0, process.stderr
    return lambda dtype: tmp_path / f"{name.replace(':', '.')}.{dtype}.pt"


def molecule(count, dtype):
    """Atoms near the places of a grid, and all ordered pairs that are nearer than the cutoff."""
    side = int(np.ceil(count ** (1 / 3)))
    x = torch.cartesian_prod(*[torch.arange(side, dtype=torch.float64)] * 3)[:count] * 1.5 + 0.1 * torch.randn(count, 3, dtype=torch.float64)
    near = (torch.cdist(x, x) < CUTOFF) & ~torch.eye(count, dtype=torch.bool)
    return x.to(dtype), torch.randint(0, 4, (count,)), near.nonzero().t().contiguous()


def crystal(count, dtype):
    """The same in a cell that repeats: edges to images of atoms, of an atom itself too."""
    x, kinds, _ = molecule(count, torch.float64)
    cell = torch.eye(3, dtype=torch.float64) * (np.ceil(count ** (1 / 3)) * 1.5 + 0.5) + 0.1
    images = torch.cartesian_prod(*[torch.arange(-1.0, 2.0, dtype=torch.float64)] * 3)
    distance = (x[None, None] + (images @ cell)[:, None, None] - x[None, :, None]).norm(dim=-1)
    image, source, target = ((distance < CUTOFF) & (distance > 0)).nonzero().t()
    return x.to(dtype), kinds, torch.stack([source, target]), images[image].to(dtype), cell.to(dtype)


def dtypes(name):
    """nequip takes positions in float64 alone."""
    return [("f32", "f64" if name == "nequip" else "f32"), ("f64", "f64")]


def eager(archive, given):
    return [result.detach().numpy() for result in torch.jit.load(archive)(*[a.clone() for a in given])]


@pytest.mark.parametrize("cell", ["", ":periodic"], ids=["free", "periodic"])
@pytest.mark.parametrize("name", FIELDS)
def test_energy_and_forces(name, cell, tmp_path, jit_run, compiled, report, request):
    if name != "schnet" and not request.config.getoption("--full"):
        pytest.skip("with --full")
    archives = scripted(name + cell, tmp_path)
    for computes, takes in dtypes(name):
        archive, make = archives(computes), crystal if cell else molecule
        module = compiled(archive, [(PERIODIC if cell else OPEN).format(x=takes)], name=f"{name}{computes}").open(threads=2)
        for count in (5, 24, 60):
            given = make(count, {"f32": torch.float32, "f64": torch.float64}[takes])
            expected, got = eager(archive, given), module.call("forward", *given)
            errors = [np.abs(a - b).max() for a, b in zip(got, expected, strict=True)]
            report(f"{name}{cell} {computes} {count} atoms {given[2].shape[1]} edges: energy {errors[0]:.1e}, forces {errors[1]:.1e}")
            for one, other in zip(got, expected):
                np.testing.assert_allclose(one, other, **TOLERANCE[computes])
        outcome = jit_run(archive, *given, flags=["--any-sizes", "--explain"])
        outcome.assert_close(expected, **TOLERANCE[computes])
        assert "is compiled for each of its sizes" not in outcome.stderr


def verlet(field, x, v, kinds, mass, steps, step):
    """The total energy of each step, and where the atoms are at the end."""
    def forces():
        near = (torch.cdist(x, x, compute_mode="donot_use_mm_for_euclid_dist") < CUTOFF) & ~torch.eye(len(x), dtype=torch.bool)
        energy, push = field(x.clone(), kinds, near.nonzero().t().contiguous())
        return energy.item(), push.detach()

    kinetic = lambda: 0.5 * (mass[:, None] * v * v).sum().item()  # noqa: E731
    potential, push = forces()
    energies = [potential + kinetic()]
    for _ in range(steps):
        v = v + 0.5 * step * push / mass[:, None]
        x = x + step * v
        potential, push = forces()
        v = v + 0.5 * step * push / mass[:, None]
        energies.append(potential + kinetic())
    return np.array(energies), x.numpy()


@pytest.mark.parametrize("name", FIELDS)
def test_dynamics_in_c(name, tmp_path, compiled, report, request):
    """examples/c/dynamics.c goes where eager PyTorch goes, and keeps the energy as well."""
    if name != "schnet" and not request.config.getoption("--full"):
        pytest.skip("with --full")
    archive = scripted(name, tmp_path)("f64")
    library = compiled(archive, [OPEN.format(x="f64")], name="field", suffix=".a")
    needed = ROOT / "examples" / "c" / "dynamics.c"
    program = build_c(tmp_path, needed.read_text(), library)
    x, kinds, _ = molecule(12, torch.float64)
    v, mass, steps, step = 0.05 * torch.randn(12, 3, dtype=torch.float64), torch.tensor([1.0, 12.0, 14.0, 16.0]).double()[kinds], 200, 0.01
    lines = [f"12 {steps} {step} {CUTOFF}"]
    for i in range(12):
        lines.append(" ".join([str(kinds[i].item()), *(repr(n.item()) for n in (mass[i], *x[i], *v[i]))]))
    done = subprocess.run([program], input="\n".join(lines), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    numbers = done.stdout.split()
    energies, places = np.array(numbers[: steps + 1], float), np.array(numbers[steps + 1:], float).reshape(12, 3)
    expected, end = verlet(torch.jit.load(archive), x, v, kinds, mass, steps, step)
    np.testing.assert_allclose(energies, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(places, end, rtol=1e-8, atol=1e-8)
    drift, own = np.abs(energies - energies[0]).max(), np.abs(expected - expected[0]).max()
    report(f"{name}: {steps} steps, energy within {drift:.1e} of its start, eager's within {own:.1e}")
    assert drift <= 1.001 * own + 1e-9


def test_a_file_needs_nothing_but_the_c_library(tmp_path, compiled):
    library = compiled(scripted("schnet", tmp_path)("f32"), [OPEN.format(x="f32")])
    found = subprocess.run([shutil.which("readelf"), "-d", library.path], capture_output=True, text=True, check=True).stdout
    needed = [line.split("[")[1].split("]")[0] for line in found.splitlines() if "(NEEDED)" in line]
    assert needed and set(needed) <= {"libc.so.6", "libm.so.6"}
