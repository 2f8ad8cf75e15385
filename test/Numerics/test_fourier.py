"""Fourier transforms against PyTorch's: sizes of all kinds, directions, norms, frames of a signal, and gradients."""

import math

import pytest
import torch
from torch import nn

from test_complex import numbers, traced


def check(saved, jit_run, function, *arguments, rtol=1e-4, atol=1e-4):
    archive, _ = saved(traced(function, *arguments))
    jit_run(archive, *arguments).assert_close(function(*arguments), rtol=rtol, atol=atol)


# Powers of 2, what frames of speech are, primes below and above one product, their multiples.
@pytest.mark.parametrize("size", [1, 2, 3, 7, 16, 31, 64, 100, 127, 251, 400, 480, 502, 512, 1009, 1024, 2000, 4099])
def test_every_size(size, saved, jit_run):
    z = numbers(2, size, dtype=torch.complex128)

    def transforms(z):
        return torch.fft.fft(z), torch.fft.ifft(z), torch.fft.rfft(z.real), torch.fft.irfft(z, n=size)

    check(saved, jit_run, transforms, z, rtol=1e-10, atol=1e-10)


def test_quarters_of_a_turn_are_exact(saved, jit_run):
    archive, _ = saved(traced(torch.fft.rfft, torch.zeros(4, dtype=torch.float64)))
    large = torch.tensor([2.0**60, 3.0, 2.0**60, 1.0], dtype=torch.float64)
    jit_run(archive, large).assert_close(torch.fft.rfft(large), rtol=0, atol=0)


@pytest.mark.parametrize("size", [80, 400, 512, 1009])
def test_single_precision(size, saved, jit_run):
    z = numbers(3, size)
    scale = math.sqrt(size)
    check(saved, jit_run, lambda z: (torch.fft.fft(z), torch.fft.irfft(z) * scale), z, rtol=1e-4, atol=2e-6 * size)


ONE_DIMENSION = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]


@pytest.mark.parametrize("norm", ["forward", "backward", "ortho"])
@pytest.mark.parametrize("name", ONE_DIMENSION)
def test_norms_and_lengths(name, norm, saved, jit_run):
    transform, isReal = getattr(torch.fft, name), name in ("rfft", "ihfft")
    x = torch.randn(3, 10, 2) if isReal else numbers(3, 10, 2)
    check(saved, jit_run, lambda x: (transform(x, norm=norm), transform(x, 7, 1, norm), transform(x, 14, dim=-2, norm=norm)), x)


@pytest.mark.parametrize("name", [name + many for name in ONE_DIMENSION for many in "2n"])
def test_several_dimensions(name, saved, jit_run):
    transform, isReal = getattr(torch.fft, name), name.startswith(("rfft", "ihfft"))
    x = torch.randn(4, 6, 5) if isReal else numbers(4, 6, 5)
    check(saved, jit_run, lambda x: (transform(x), transform(x, (5, 8), (0, 2)), transform(x, norm="ortho")), x)


def test_whole_numbers_and_shifts(saved, jit_run):
    def transforms(x):
        shifted = torch.fft.fftshift(torch.fft.fft(x), 1)
        return shifted, torch.fft.ifftshift(shifted), torch.fft.fftfreq(7, 0.5) * x, torch.fft.rfftfreq(12) * x

    check(saved, jit_run, transforms, torch.arange(14).reshape(2, 7))


def test_real_frequencies(saved, jit_run):
    check(saved, jit_run, lambda x: (torch.fft.hfft(x), torch.fft.irfft(x), torch.fft.irfft2(x)), torch.randn(3, 6))


class MelSpectrogram(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(400))
        self.register_buffer("bank", torch.rand(201, 20))

    def forward(self, x):
        spectra = torch.stft(x, 400, 160, window=self.window, return_complex=True)
        return torch.log(torch.matmul(spectra.abs().pow(2).transpose(1, 2), self.bank) + 1e-6)


class Mixing(nn.Module):
    """The layer of FNet."""

    def forward(self, x):
        return torch.fft.fft2(x.float(), dim=(-2, -1)).real


class SpectralGate(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(128))

    def forward(self, x):
        spectra = torch.stft(x, 128, 32, window=self.window, return_complex=True)
        loud = spectra.abs()
        gated = spectra * (loud > loud.mean(dim=-1, keepdim=True)).to(loud.dtype)
        return torch.istft(gated, 128, 32, window=self.window, length=x.size(-1))


@pytest.mark.parametrize("module, x", [(MelSpectrogram(), torch.randn(2, 4000)), (Mixing(), torch.randn(2, 12, 48)),
                                       (SpectralGate(), torch.randn(2, 1000))], ids=lambda v: type(v).__name__)
def test_program(module, x, agrees):
    agrees(module, x, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("options", [
    {}, {"center": False}, {"pad_mode": "constant"}, {"normalized": True}, {"onesided": False}, {"win_length": 12},
    {"hop_length": 3}, {"window": torch.hann_window(16)}, {"window": torch.hamming_window(10), "win_length": 10},
], ids=str)
def test_stft(options, saved, jit_run):
    arguments = {"n_fft": 16, "return_complex": True, **options}
    check(saved, jit_run, lambda x: (torch.stft(x, **arguments), torch.view_as_real(torch.stft(x[0], **arguments))), torch.randn(2, 70))


@pytest.mark.parametrize("options", [
    {}, {"normalized": True}, {"length": 50}, {"length": 70}, {"win_length": 12}, {"onesided": False}, {"hop_length": 3},
    {"window": torch.hamming_window(16)}, {"center": False, "window": torch.hamming_window(16)},
    {"onesided": False, "return_complex": True},
], ids=str)
def test_istft(options, saved, jit_run):
    half = options.get("onesided", True)
    check(saved, jit_run, lambda z: torch.istft(z, 16, **options), numbers(2, 9 if half else 16, 14))


def test_windows_that_leave_samples_out_end_the_call(saved, jit_run):
    window = torch.zeros(16)
    archive, _ = saved(traced(lambda z, w: torch.istft(z, 16, window=w), numbers(9, 14), torch.ones(16)))
    jit_run(archive, numbers(9, 14), window).assert_fails_with("expected windows that overlap in every sample")


def spectral_loss(x, window):
    return torch.stft(x, 64, 16, window=window, return_complex=True).abs().pow(2).add(1).log().sum()


def filtered(x, window):
    spectrum = torch.fft.rfft(x) * torch.fft.rfft(window, n=x.shape[-1])
    return torch.fft.irfft(spectrum, n=x.shape[-1]).pow(2).sum()


def resynthesized(x, window):
    return torch.istft(torch.stft(x, 64, 16, window=window, return_complex=True) * 1.5, 64, 16, window=window).pow(3).sum()


@pytest.mark.parametrize("loss", [spectral_loss, filtered, resynthesized])
def test_gradient(loss, saved, jit_run):
    x, window = torch.randn(2, 300).requires_grad_(), torch.hann_window(64).add(0.1).requires_grad_()
    archive, _ = saved(traced(loss, x.detach(), window.detach()))
    got = jit_run(archive, x, window, flags=["--grad"])
    loss(x, window).backward()
    for position, tensor in enumerate((x, window)):
        torch.testing.assert_close(torch.from_numpy(got.gradient(position)), tensor.grad, rtol=1e-3, atol=1e-3)
