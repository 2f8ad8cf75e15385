"""Complex tensors, their parts and their conjugates, which are views of one memory: written, resized and resolved; numbers beyond all."""

import torch
from differential_case import case
from torch import Tensor

Z = "torch.complex(torch.arange(1.0, 17.0), torch.arange(-4.0, 12.0)).reshape(4, 4)"
COMPLEX = (f"({Z}, torch.arange(1.0, 17.0).reshape(4, 4) / 4)",)


@case(*COMPLEX, ways=("exact", "any"))
def out_of_parts_and_conjugates(z: Tensor, y: Tensor):
    w = z * 1
    r = w.real
    torch.mul(y, 2.0, out=r)
    torch.mul(z, 2j, out=w.mH)
    q = w.conj()
    torch.mul(z[0], 2.0, out=q)
    torch.mul(torch.ones([4, 1]), 2.0, out=y[:, 0])
    return w, r, q


@case(*COMPLEX, ways=("exact", "any"), refused=True)
def out_of_other_sizes_of_a_part(z: Tensor, y: Tensor):
    w = z * 1
    r = w.real
    torch.mul(y[0], 2.0, out=r)
    return w, r


@case(*COMPLEX, ways=("exact", "any"), refused=True)
def out_of_other_sizes_of_what_a_part_shows(z: Tensor, y: Tensor):
    w = z * 1
    r = w.real
    torch.mul(y[0], 2.0 + 0j, out=w)
    return w, r


@case(*COMPLEX, ways=("exact", "any"))
def sizes_of_parts_and_conjugates(z: Tensor, y: Tensor):
    w = z * 1
    r, q, p = w.imag, w.conj(), y.conj()
    w.t_()
    r.unsqueeze_(0)
    q.unsqueeze_(-1)
    p.transpose_(0, 1)
    w.mul_(2j)
    r.add_(1)
    return w, r, q, p, y


@case(*COMPLEX, ways=("exact", "any"))
def as_strided_of_parts_and_conjugates(z: Tensor, y: Tensor):
    w = z * 1
    q = w.conj()
    w.t().as_strided([2, 3], [5, 2], 1).add_(1j)
    w.real.as_strided([2, 2], [4, 2], 3).mul_(3)
    q.as_strided([2, 3], [6, 2], 1).mul_(2 + 1j)
    q.real.as_strided([2], [3], 1).mul_(3)
    return w, q, q.t().as_strided([2], [3], 2), z.t()[1:].as_strided([2, 2], [3, 2])


@case(*COMPLEX, ways=("exact", "any"), refused=True)
def as_strided_of_an_imaginary_part_whose_sign_is_changed(z: Tensor, y: Tensor):
    w = z * 1
    q = w.conj().imag
    q.as_strided([2], [2], 1).mul_(3)
    return w, q


@case(*COMPLEX, f"(-{Z}, -torch.ones(4, 4))", ways=("exact", "any", "package"))
def resolved_or_not(z: Tensor, y: Tensor):
    w = z * 1
    q = w.conj() if bool(y.sum() > 0) else w
    r = q.resolve_conj()
    r.mul_(2)
    p = w
    for i in range(3):
        p = p.conj()
        p.resolve_conj().add_(1j)
    return w, r, p


@case(*COMPLEX, ways=("any",), refused=True)
def as_strided_of_what_may_be_real(z: Tensor, y: Tensor):
    t = y
    k = 0
    while k < 3 and bool((y > 0).any()):
        k += 1
        y.zero_()
        t = z if bool(y.sum() > 0) else y
    t.as_strided([3], [2]).add_(1)
    return z, y


@case("(torch.tensor([complex(float('inf'), 1.5), complex(1.5, float('-inf')), complex(float('nan'), 1), complex(-0.0, 0.0)]), torch.tensor([2.0, 0.0, float('inf'), -1.0]))",
      ways=("exact", "any"))
def infinite_parts(z: Tensor, r: Tensor):
    return (z + z, z - z, z * 2.0, z * r, z / 2.0, z / r, z + 1, r + z, r - z, z * 1j, torch.add(r, z, alpha=2), torch.add(z, r, alpha=1j),
            torch.rsub(z, r), torch.addcmul(z, z, r), torch.addcdiv(r + 0j, z, r), torch.lerp(z, z * 2, 0.5), torch.lerp(z, r + 0j, 0.25), z.sgn(), z.mean(), z[:1].prod(), z[None].prod(0))


@case(*COMPLEX, ways=("exact", "any"))
def filled_with_numbers(z: Tensor, y: Tensor):
    w = z * 1
    w[0].fill_(2j)
    w[1] = 3j
    w[:, 2].fill_(1.5)
    w.index_fill_(0, torch.tensor([3]), 1.5)
    w.index_fill_(1, torch.tensor([0]), 1j)
    w.masked_fill_(y < 1, 2j)
    w[1:].fill_diagonal_(2.5)
    images = w.reshape(1, 4, 2, 2)
    shuffled = torch.pixel_shuffle(images, 2), torch.pixel_unshuffle(images, 2), torch.channel_shuffle(images, 2)
    return w, torch.lerp(w, z, 0.5j), w.repeat_interleave(2, 1), w.repeat_interleave(torch.tensor([1, 0, 2, 1]), 0), *shuffled


@case("(torch.tensor([[1 + 2j, -1j]]), 2)", "(torch.tensor([[1 + 2j, -1j]]), 0)", ways=("exact", "any", "package"))
def real_numbers_of_complex_tensors(z: Tensor, n: int):
    t = z * 1
    r = 0.0
    for i in range(n):
        t.fill_(-1)
        r += float(t.sum())
        if float(t.sum()) > 0.5:
            break
    if bool(z.sum()):
        return t, r, int((z - z).sum())
    return z, r, 3
