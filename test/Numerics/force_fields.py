"""Force fields of packages with random weights, scripted by their own code. As a program, where PYTHONPATH has the package:

    force_fields.py NAME FOLDER      writes FOLDER/NAME.f32.pt and NAME.f64.pt, and with :periodic behind NAME those with a cell

All are called alike: positions, kinds of atoms (0 to 3), edges from one atom to another; periodic ones also with the cell that
each edge ends in, as whole numbers, and the cell. They give the energy and the forces."""

import sys
import types
import typing
import warnings

import architectures
import torch
from torch import Tensor, nn

CUTOFF = 4.0
NUMBERS = [1, 6, 7, 8]


def schnetpack(representation):
    # No longer where the package looks for it.
    torch.utils.data.dataloader.T_co = typing.TypeVar("T_co", covariant=True)
    import schnetpack
    from schnetpack import atomistic

    dtype = torch.get_default_dtype()
    torch.set_default_dtype(torch.float32)  # the package makes its tables in this one
    radial, cutoff = schnetpack.nn.GaussianRBF(n_rbf=20, cutoff=CUTOFF), schnetpack.nn.CosineCutoff(CUTOFF)
    more = {"lmax": 2} if representation == "SO3net" else {}
    net = getattr(schnetpack.representation, representation)(n_atom_basis=64, n_interactions=3, radial_basis=radial, cutoff_fn=cutoff, **more)
    return schnetpack.model.NeuralNetworkPotential(
        net, input_modules=[atomistic.PairwiseDistances()], do_postprocessing=False,
        output_modules=[atomistic.Atomwise(n_in=64, output_key="energy"), atomistic.Forces()]).to(dtype)


class Schnetpack(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.register_buffer("numbers", torch.tensor(NUMBERS))

    def forward(self, x: Tensor, kinds: Tensor, edges: Tensor, shifts: Tensor, cell: Tensor):
        given: typing.Dict[str, Tensor] = {
            "_atomic_numbers": self.numbers[kinds], "_positions": x, "_idx_i": edges[0], "_idx_j": edges[1], "_offsets": shifts @ cell,
            "_idx_m": torch.zeros_like(kinds), "_n_atoms": torch.full([1], kinds.size(0), dtype=torch.long)}
        made = self.model(given)
        return made["energy"], made["forces"]


def mace():
    import numpy as np
    torch.serialization.add_safe_globals([slice])  # in a table of e3nn's own
    from e3nn import o3
    from e3nn.util import jit
    from mace import modules

    block = modules.RealAgnosticResidualInteractionBlock
    model = modules.ScaleShiftMACE(
        r_max=CUTOFF, num_bessel=8, num_polynomial_cutoff=5, max_ell=2, interaction_cls=block, interaction_cls_first=block,
        num_interactions=2, num_elements=4, hidden_irreps=o3.Irreps("16x0e+16x1o"), MLP_irreps=o3.Irreps("16x0e"),
        gate=nn.functional.silu, atomic_energies=np.array([-1.0, -3.0, -2.0, -4.0]), avg_num_neighbors=8.0, atomic_numbers=NUMBERS,
        correlation=3, radial_type="bessel", atomic_inter_scale=1.0, atomic_inter_shift=0.0)
    return jit.compile(model)


class Mace(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x: Tensor, kinds: Tensor, edges: Tensor, shifts: Tensor, cell: Tensor):
        given: typing.Dict[str, Tensor] = {
            "positions": x, "node_attrs": torch.nn.functional.one_hot(kinds, 4).to(x.dtype), "edge_index": edges,
            "unit_shifts": shifts, "shifts": shifts @ cell, "cell": cell, "batch": torch.zeros_like(kinds),
            "ptr": torch.tensor([0, x.size(0)])}
        made = self.model(given)
        energy, forces = made["energy"], made["forces"]
        assert energy is not None and forces is not None
        return energy, forces


def nequip():
    from e3nn.util import jit
    from nequip.model import NequIPGNNModel
    from nequip.utils.global_state import set_global_state

    dtype = {torch.float32: "float32", torch.float64: "float64"}[torch.get_default_dtype()]
    torch.set_default_dtype(torch.float64)
    set_global_state()
    model = NequIPGNNModel(num_layers=3, l_max=2, parity=True, num_features=16, seed=0, model_dtype=dtype, type_names=["H", "C", "N", "O"],
                           r_max=CUTOFF, avg_num_neighbors=12.0, per_type_energy_scales=1.0, per_type_energy_shifts=0.0)
    return jit.script(model.eval())


class Nequip(nn.Module):
    """Takes and gives float64, whatever it computes in."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x: Tensor, kinds: Tensor, edges: Tensor, shifts: Tensor, cell: Tensor):
        given: typing.Dict[str, Tensor] = {"pos": x, "atom_types": kinds, "edge_index": edges, "edge_cell_shift": shifts, "cell": cell.unsqueeze(0)}
        made = self.model(given)
        return made["total_energy"].view(1), made["forces"]


def torchani():
    from torchani.arch import simple_ani

    return simple_ani(("H", "C", "N", "O"), lot="wb97x-631gd", ensemble_size=1)


def minus_gradient(energy: Tensor, x: Tensor):
    gradient = torch.autograd.grad([energy.sum()], [x])[0]
    assert gradient is not None
    return -gradient.squeeze(0)


class Torchani(nn.Module):
    """Finds pairs and triples of atoms itself, in a cell by its images: of the edges it needs none."""

    def __init__(self, model):
        super().__init__()
        self.model = model
        self.register_buffer("numbers", torch.tensor(NUMBERS))
        self.register_buffer("repeats", torch.tensor([True, True, True]))

    def forward(self, x: Tensor, kinds: Tensor, edges: Tensor, shifts: Tensor, cell: Tensor):
        x = x.unsqueeze(0).requires_grad_(True)
        energy = self.model((self.numbers[kinds].unsqueeze(0), x), cell, self.repeats).energies
        return energy.detach(), minus_gradient(energy, x)


class OpenTorchani(nn.Module):
    def __init__(self, field):
        super().__init__()
        self.model = field.model
        self.register_buffer("numbers", torch.tensor(NUMBERS))

    def forward(self, x: Tensor, kinds: Tensor, edges: Tensor):
        x = x.unsqueeze(0).requires_grad_(True)
        energy = self.model((self.numbers[kinds].unsqueeze(0), x)).energies
        return energy.detach(), minus_gradient(energy, x)


def pairs(strategy: str, positions: Tensor, batch: Tensor, box_vectors: Tensor, use_periodic: bool, cutoff_lower: float, cutoff_upper: float,
          max_num_pairs: int, loop: bool, include_transpose: bool, num_cells: int) -> typing.Tuple[Tensor, Tensor, Tensor, Tensor]:
    """All ordered pairs of atoms, by PyTorch's operators; places and distances as torchmd-net's operator of compiled code gives them."""
    count = positions.size(0)
    source = torch.arange(count).repeat_interleave(count)
    target = torch.arange(count).repeat(count)
    between = positions[source] - positions[target]
    if use_periodic:
        for side in range(3):
            row = 2 - side
            between = between - torch.round(between[:, row] / box_vectors[row, row]).detach().unsqueeze(1) * box_vectors[row]
    squared = (between * between).sum(1)
    near = (squared < cutoff_upper * cutoff_upper) & (squared >= cutoff_lower * cutoff_lower)
    near = near & (batch[source] == batch[target])
    if not loop:
        near = near & (source != target)
    between, apart = between[near], source[near] != target[near]
    distance = torch.where(apart, torch.where(apart, squared[near], 1.0).sqrt(), 0.0)
    return torch.stack([source[near], target[near]]), between, distance, near.sum().view(1)


def torchmd(model):
    # Its operators are compiled by another package's compiler when they are first called.
    operators = types.ModuleType("torchmdnet.extensions.ops")
    operators.get_neighbor_pairs_kernel = pairs
    sys.modules[operators.__name__] = operators
    from torchmdnet.models import tensornet
    from torchmdnet.models.model import create_model

    for part in (tensornet.TensorNet, tensornet.TensorEmbedding, tensornet.Interaction):
        part.__constants__ = ["opt"]  # false, so that these operators are not compiled

    precision = {torch.float32: 32, torch.float64: 64}[torch.get_default_dtype()]
    return create_model(dict(
        model=model, embedding_dimension=32, num_layers=2, num_rbf=16, rbf_type="expnorm", trainable_rbf=False, activation="silu",
        cutoff_lower=0.0, cutoff_upper=CUTOFF, max_z=10, max_num_neighbors=64, precision=precision, aggr="add", neighbor_embedding=True,
        attn_activation="silu", num_heads=4, distance_influence="both", equivariance_invariance_group="O(3)", atom_filter=-1,
        prior_model=None, output_model="Scalar", reduce_op="sum", derivative=True))


class Torchmd(nn.Module):
    """Finds neighbours itself, in a cell of the nearest images."""

    def __init__(self, model):
        super().__init__()
        self.model = model
        self.register_buffer("numbers", torch.tensor(NUMBERS))

    def forward(self, x: Tensor, kinds: Tensor, edges: Tensor, shifts: Tensor, cell: Tensor):
        energy, forces = self.model(self.numbers[kinds], x, box=cell)
        return energy.detach().view(1), forces


class OpenTorchmd(nn.Module):
    def __init__(self, field):
        super().__init__()
        self.model = field.model
        self.register_buffer("numbers", torch.tensor(NUMBERS))

    def forward(self, x: Tensor, kinds: Tensor, edges: Tensor):
        energy, forces = self.model(self.numbers[kinds], x)
        return energy.detach().view(1), forces


class Open(nn.Module):
    """Without a cell."""

    def __init__(self, field):
        super().__init__()
        self.field = field

    def forward(self, x: Tensor, kinds: Tensor, edges: Tensor):
        return self.field(x, kinds, edges, torch.zeros(edges.size(1), 3, dtype=x.dtype), torch.eye(3, dtype=x.dtype) * 100.0)


# By name: the package, as its folder is called, what makes the model, and what calls it.
FIELDS = {
    "schnet": ("schnetpack", lambda: schnetpack("SchNet"), Schnetpack),
    "painn": ("schnetpack", lambda: schnetpack("PaiNN"), Schnetpack),
    "so3net": ("schnetpack", lambda: schnetpack("SO3net"), Schnetpack),
    "mace": ("mace", mace, Mace),
    "nequip": ("nequip", nequip, Nequip),
    "ani": ("torchani", torchani, Torchani),
    "tensornet": ("torchmd-net", lambda: torchmd("tensornet"), Torchmd),
    "et": ("torchmd-net", lambda: torchmd("equivariant-transformer"), Torchmd),
    "graph": ("torchmd-net", lambda: torchmd("graph-network"), Torchmd),
    "transformer": ("torchmd-net", lambda: torchmd("transformer"), Torchmd),
}
WITHOUT_A_CELL = {"ani": OpenTorchani} | dict.fromkeys(["tensornet", "et", "graph", "transformer"], OpenTorchmd)  # others are called as one whose cell is not used


def write(name, folder):
    name, _, kind = name.partition(":")
    _, make, caller = FIELDS[name]
    for text, dtype in (("f32", torch.float32), ("f64", torch.float64)):
        torch.manual_seed(0)
        torch.set_default_dtype(dtype)
        field = caller(make().eval()).eval()
        torch.set_default_dtype(torch.float32)
        for parameter in field.parameters():
            # Some layers start at zero, which would hide what comes before them.
            if parameter.ndim > 1 and not parameter.any():
                nn.init.normal_(parameter, std=0.02)
        program = field if kind else WITHOUT_A_CELL.get(name, Open)(field)
        torch.jit.script(program.eval()).save(f"{folder}/{name}{'.periodic' * bool(kind)}.{text}.pt")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    # Trainers that the packages import look for torchvision, whose compiled operators may be missing.
    architectures.torchvision()
    write(*sys.argv[1:])
