"""A speech detector used in production, from the archive that its authors ship."""

from typing import List

import numpy as np
import pytest
import torch
from make_speech import into_chunks, make_speech
from running import leaves

CLOSE = dict(rtol=0, atol=1e-4)


@pytest.fixture(scope="module", params=[16000, 8000])
def speech(request):
    return request.param, make_speech(request.param)


@pytest.fixture
def vad(silero_archive):
    return torch.jit.load(str(silero_archive))


def test_every_chunk_of_a_minute(speech, silero_archive, vad, jit_run):
    rate, audio = speech
    chunks = into_chunks(audio, rate)
    with torch.no_grad():
        expected = torch.stack([vad(torch.from_numpy(chunk)[None], rate) for chunk in chunks])
    assert expected.min() < 0.1 and expected.max() > 0.9, "the minute should hold both speech and pauses"
    jit_run(silero_archive, rate, repeat_over=chunks).assert_close(expected, **CLOSE)


@pytest.mark.parametrize("seconds", [3.3, 60])
def test_audio_forward(speech, seconds, silero_archive, vad, jit_run):
    rate, audio = speech
    audio = torch.from_numpy(audio[None, : int(seconds * rate)])
    with torch.no_grad():
        expected = vad.audio_forward(audio, rate)
    jit_run(silero_archive, audio, rate, method="audio_forward").assert_close(expected, **CLOSE)


def test_a_batch(silero_archive, vad, jit_run):
    chunk = torch.randn(3, 512) * 0.1
    with torch.no_grad():
        expected = vad(chunk, 16000)
    jit_run(silero_archive, chunk, 16000).assert_close(expected, **CLOSE)


def test_one_dimension_and_a_multiple_of_the_rate(silero_archive, vad, jit_run):
    chunk = torch.randn(1536) * 0.1
    with torch.no_grad():
        expected = vad(chunk, 48000)
    jit_run(silero_archive, chunk, 48000).assert_close(expected, **CLOSE)


@pytest.mark.parametrize("samples, rate, message", [
    (600, 16000, "Provided number of samples is 600 (Supported values: 256 for 8000 sample rate, 512 for 16000)"),
    (512, 8000, "Provided number of samples is 512 (Supported values: 256 for 8000 sample rate, 512 for 16000)"),
    (100, 16000, "Input audio chunk is too short"),
    (512, 44100, "Supported sampling rates: [8000, 16000] (or multiply of 16000)"),
])
def test_a_refused_chunk_gives_the_modules_own_words(samples, rate, message, silero_archive, jit_run):
    jit_run(silero_archive, torch.zeros(1, samples), rate).assert_fails_with("ValueError", message)


def test_too_many_dimensions(silero_archive, jit_run):
    outcome = jit_run(silero_archive, torch.zeros(1, 1, 512), 16000)
    outcome.assert_fails_with("Too many dimensions for input audio chunk 3")


class StateOverCalls(torch.nn.Module):
    """Several calls in one, so that the state's own rules show: carried on, reset, lost when batch or rate changes."""

    def __init__(self, vad):
        super().__init__()
        self.vad = vad

    def forward(self, one: torch.Tensor, two: torch.Tensor) -> List[torch.Tensor]:
        first = self.vad(one, 16000)
        second = self.vad(one, 16000)
        self.vad.reset_states()
        again = self.vad(one, 16000)
        batch = self.vad(two, 16000)
        slow = self.vad(one[:, :256], 8000)
        return [first, second, again, batch, slow]


def test_state_over_calls(vad, saved, jit_run):
    one, two = torch.randn(1, 512) * 0.1, torch.randn(2, 512) * 0.1
    archive, reference = saved(StateOverCalls(vad))
    with torch.no_grad():
        expected = reference(one, two)
    first, second, again = list(leaves(expected))[:3]
    assert first == again and first != second
    jit_run(archive, one, two).assert_close(expected, **CLOSE)


def test_threads_do_not_change_the_result(silero_archive, jit_run):
    chunks = np.random.default_rng(1).standard_normal((20, 512)).astype(np.float32)
    one, two = (jit_run(silero_archive, 16000, repeat_over=chunks, flags=[f"--threads={n}"]) for n in (1, 2))
    one.assert_ok(), two.assert_ok()
    np.testing.assert_array_equal(one.outputs[0], two.outputs[0])
