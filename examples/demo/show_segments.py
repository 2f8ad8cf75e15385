"""Turns the probability of speech in each chunk into segments: a table on the terminal and a picture.

    show_segments.py SPEECH.npy PROBABILITIES.npy PICTURE.png [--rate 16000]
"""

import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

ENTER, LEAVE = 0.5, 0.35  # a segment starts above the one and ends below the other
SHORTEST_SPEECH, SHORTEST_PAUSE = 0.25, 0.2  # seconds


def find_segments(probability, chunk_seconds):
    """[(start, end)] in seconds: hysteresis, then short pauses are bridged and short bursts dropped."""
    segments, start = [], None
    for i, p in enumerate(np.append(probability, 0.0)):
        if start is None and p >= ENTER:
            start = i
        elif start is not None and p < LEAVE:
            segments.append((start * chunk_seconds, i * chunk_seconds))
            start = None
    merged = []
    for start, end in segments:
        if merged and start - merged[-1][1] < SHORTEST_PAUSE:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return [(start, end) for start, end in merged if end - start >= SHORTEST_SPEECH]


def print_table(segments, probability, chunk_seconds):
    print(f"{'speech':>6} {'from':>9} {'to':>9} {'length':>9}   mean probability")
    for number, (start, end) in enumerate(segments, 1):
        mean = probability[round(start / chunk_seconds) : round(end / chunk_seconds)].mean()
        print(f"{number:>6} {start:>7.2f} s {end:>7.2f} s {end - start:>7.2f} s   {mean:.3f}  {'#' * round(20 * mean)}")
    total = sum(end - start for start, end in segments)
    print(f"{len(segments)} segments, {total:.1f} s of speech in {len(probability) * chunk_seconds:.1f} s")


def draw(path, speech, rate, probability, chunk_seconds, segments):
    figure, (wave, prob) = plt.subplots(2, 1, sharex=True, figsize=(12, 5), height_ratios=[3, 2])
    # The extremes of every 10 ms look like the waveform and draw fast.
    step = rate // 100
    blocks = speech[: len(speech) // step * step].reshape(-1, step)
    wave.fill_between(np.arange(len(blocks)) / 100, blocks.min(1), blocks.max(1), linewidth=0.5, color="#35618e")
    wave.set(ylabel="waveform", ylim=(-1, 1), title="Speech found by silero_vad.jit, compiled")
    prob.step(np.arange(len(probability)) * chunk_seconds, probability, where="post", linewidth=0.9, color="#35618e")
    prob.axhline(ENTER, linewidth=0.6, color="grey", linestyle="--")
    prob.set(ylabel="probability", xlabel="seconds", ylim=(-0.03, 1.03), xlim=(0, len(speech) / rate))
    for axes in (wave, prob):
        for start, end in segments:
            axes.axvspan(start, end, color="#f0a030", alpha=0.25, linewidth=0, zorder=0)
        axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("speech")
    parser.add_argument("probabilities")
    parser.add_argument("picture")
    parser.add_argument("--rate", type=int, default=16000)
    args = parser.parse_args()
    audio = np.load(args.speech)
    probabilities = np.load(args.probabilities).reshape(-1)
    seconds = len(audio) // len(probabilities) / args.rate
    found = find_segments(probabilities, seconds)
    print_table(found, probabilities, seconds)
    draw(args.picture, audio, args.rate, probabilities, seconds, found)
