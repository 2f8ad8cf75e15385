"""Makes a minute of 16 kHz speech with pauses by espeak-ng, cut into the chunks that the detector takes.

    make_speech.py FOLDER [--rate 16000]

writes FOLDER/speech.npy (f32[samples]) and FOLDER/chunks.npy (f32[n, 512]; 256 samples at 8 kHz).
"""

import argparse
import io
import pathlib
import subprocess
import wave

import numpy as np

SECONDS = 60
CHUNK = {16000: 512, 8000: 256}

# Voice, words a minute, text, and the pause after it in seconds.
SENTENCES = [
    ("en-us", 160, "This voice was made by a program, and another program is listening to it.", 1.4),
    ("en-gb+f3", 150, "It hears thirty one chunks of sound in every second.", 0.5),
    ("en-us", 170, "For each of them it says how likely it is that somebody speaks.", 2.6),
    ("en-gb", 130, "A long pause is easy.", 0.25),
    ("en-gb", 130, "A short one is not.", 1.8),
    ("en-us+f2", 180, "The network was trained and saved by one framework, then read from its archive, "
                      "compiled to machine code, and run without that framework.", 3.2),
    ("en-gb+f3", 140, "Between two chunks it remembers a little of what it has heard.", 0.9),
    ("en-us", 120, "One.", 0.7),
    ("en-us", 120, "Two.", 0.7),
    ("en-us", 120, "Three.", 2.2),
    ("en-gb", 190, "Now somebody talks much faster, so that hardly any silence is left between the words "
                   "until the sentence is over.", 4.0),
    ("en-us+f2", 150, "And this is how the minute ends.", 2.4),
]


def speak(voice, speed, text):
    """One sentence as (rate, f32 samples in [-1, 1])."""
    command = ["espeak-ng", "-v", voice, "-s", str(speed), "--stdout", text]
    wav = wave.open(io.BytesIO(subprocess.run(command, check=True, capture_output=True).stdout))
    # A wav written to a pipe claims an endless length, so take what is there.
    frames = wav.readframes(wav.getnframes())
    return wav.getframerate(), np.frombuffer(frames, "<i2").astype(np.float32) / 32768


def resample(signal, rate_in, rate_out, half_width=32):
    """Band-limited resampling by a windowed sinc, one filter for each of the output's phases."""
    if rate_in == rate_out:
        return signal
    divisor = np.gcd(rate_in, rate_out)
    up, down = rate_out // divisor, rate_in // divisor
    cutoff = min(1.0, up / down) * 0.95
    padded = np.concatenate([np.zeros(half_width), signal, np.zeros(half_width + 1)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * half_width)
    out = np.empty(len(signal) * up // down, np.float32)
    for phase in range(up):
        positions = np.arange(phase, len(out), up)
        start, fraction = divmod(phase * down, up)
        offsets = np.arange(2 * half_width) - half_width - fraction / up
        taper = 0.5 + 0.5 * np.cos(np.pi * np.clip(offsets / half_width, -1, 1))
        filter_ = cutoff * np.sinc(cutoff * offsets) * taper
        out[positions] = windows[start + np.arange(len(positions)) * down] @ filter_
    return out


def make_speech(rate=16000):
    """A minute of speech: the sentences, their pauses, and a faint noise so that silence is not all zeros."""
    parts = []
    for voice, speed, text, pause in SENTENCES:
        rate_in, samples = speak(voice, speed, text)
        parts += [resample(samples, rate_in, rate) * 0.7, np.zeros(int(pause * rate), np.float32)]
    speech = np.concatenate([np.zeros(rate // 2, np.float32), *parts])
    speech = np.resize(speech, SECONDS * rate)  # repeats the beginning if the sentences are shorter
    noise = np.random.default_rng(0).standard_normal(len(speech)) * 5e-4
    return (speech + noise).astype(np.float32)


def into_chunks(speech, rate=16000):
    size = CHUNK[rate]
    return speech[: len(speech) // size * size].reshape(-1, size)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rate", type=int, default=16000, choices=sorted(CHUNK))
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    audio = make_speech(args.rate)
    np.save(args.folder / "speech.npy", audio)
    np.save(args.folder / "chunks.npy", into_chunks(audio, args.rate))
    print(f"{len(audio) / args.rate:.0f} seconds at {args.rate} Hz, {len(into_chunks(audio, args.rate))} chunks")
