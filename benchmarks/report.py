"""The page of tables and the picture of a run."""

import json
import math
import pathlib


def read(path):
    """(machine, rows): of several runs in one file the last of each workload, but peers that it left out keep their numbers."""
    machine, rows = None, {}
    for text in path.read_text().splitlines():
        found = json.loads(text)
        if "machine" in found:
            machine = found["machine"]
            continue
        before = rows.pop(found["workload"], {"peers": {}})
        rows[found["workload"]] = {**found, "peers": {**before["peers"], **found["peers"]}}
    return machine, list(rows.values())


def line(row):
    if "error" in row:
        return f"{row['workload']}: {row['error']}"
    cells = (f"{name} {found['min']:.3g}{'!' if found.get('wrong') else ''}{'~' if found.get('noisy') else ''}" if "min" in found
             else f"{name} failed ({found['error'][:90]})" for name, found in row["peers"].items())
    return f"{row['workload']}: " + ", ".join(cells)


def least(row, peaks):
    """ms that the products' flops, or the bytes, take at the machine's peak; those that fit a cache at the cache's."""
    if not row.get("work") or row["group"] == "overhead":
        return None
    flops, moved = row["work"]
    bandwidth = peaks["cache"] if moved < peaks.get("cache bytes", 24e6) else peaks["memory"]
    return max(flops / peaks["fma"], moved / bandwidth) / 1e6


def time_of(row, peer):
    found = row["peers"].get(peer, {})
    return found.get("min") if not found.get("wrong") else None


OURS = ("jit", "jit-python", "jit-strict")


def best_peer(row):
    """(name, ms) of the fastest peer but ourselves whose values are right."""
    times = [(time_of(row, name), name) for name in row["peers"] if name not in OURS and time_of(row, name)]
    return min(times)[::-1] if times else None


def names(rows):
    return list(dict.fromkeys(name for row in rows for name in row["peers"]))


def base(row):
    """Eager's time, else TorchScript's, else the best peer's."""
    return time_of(row, "eager") or time_of(row, "torchscript") or (best_peer(row) or ("", None))[1]


def ratios(rows, peaks):
    columns = names(rows)
    yield f"| workload | eager ms | limit | {' | '.join(columns)} | jit / best peer |"
    yield "|---|---:|---:|" + "---:|" * (len(columns) + 1)
    for row in rows:
        unit, limit, best = base(row), least(row, peaks), best_peer(row)
        cells = []
        for name in columns:
            found = row["peers"].get(name)
            if found is None:
                cells.append("")
            elif "min" not in found:
                cells.append("failed")
            else:
                text = f"{found['min'] / unit:.2f}" + ("!" if found.get("wrong") else "") + ("~" if found.get("noisy") else "")
                fastest = best is None or found["min"] <= min(best[1], time_of(row, "jit") or math.inf)
                cells.append(f"**{text}**" if fastest and not found.get("wrong") else text)
        ours = time_of(row, "jit")
        against = f"{ours / best[1]:.2f} ({best[0]})" if ours and best else ""
        yield f"| {row['workload']} | {unit:.3g} | {f'{limit / unit:.2f}' if limit else ''} | {' | '.join(cells)} | {against} |"


def table(rows, cell):
    columns = names(rows)
    yield f"| workload | {' | '.join(columns)} |"
    yield "|---|" + "---:|" * len(columns)
    for row in rows:
        yield f"| {row['workload']} | " + " | ".join(cell(row, row["peers"][n]) if n in row["peers"] else "" for n in columns) + " |"


def milliseconds(row, found):
    return f"{found['min']:.4g} ({found['median']:.4g})" if "min" in found else ""


def compile_seconds(row, found):
    """From the module to the first result: export, compile, load and call."""
    if "load" not in found:
        return ""
    return f"{sum(found['ahead'].values()) + found['load']:.2f}"


def memory(row, found):
    if "memory to run" not in found:
        return ""
    return f"{max(found['memory to compile'], found['memory to load']):.0f} / {found['memory to run']:.0f}"


def mean_ratio(rows, ours="jit"):
    """(geometric mean, rows, how many of them are not behind) of our time by that of each row's best peer."""
    logs = [math.log(time_of(row, ours) / best_peer(row)[1]) for row in rows if time_of(row, ours) and best_peer(row)]
    return (math.exp(sum(logs) / len(logs)), len(logs), sum(log <= 0 for log in logs)) if logs else None


def mkl(machine, rows):
    """What MKL makes of this CPU, which may be no Intel: PyTorch's products are its."""
    shares = [row["work"][0] / time_of(row, "eager") / 1e6 / machine["peaks"]["fma"] for row in rows
              if row["group"] == "products" and time_of(row, "eager")]
    if shares:
        yield (f"PyTorch's products are MKL's, as its wheels have it; on this CPU eager's reach {100 * min(shares):.0f} to {100 * max(shares):.0f} % of the "
               "peak. Peers that call oneDNN instead (frozen Inductor, onnxruntime's and OpenVINO's own) do not depend on it.\n")


def summary(machine, rows, picture, details):
    """What one reads in a minute."""
    yield "# Where it stands\n"
    yield f"{machine['cpu']}, {machine['threads']} threads, commit {machine['commit']}; each peer at its best settings, in turn. All figures: [{details}]({details}).\n"
    yield "Time by that of the best peer, in the geometric mean (below 1: ahead of all):\n"
    yield "| rows | | as a package | through Python | not behind (package) |"
    yield "|---|---:|---:|---:|---:|"
    groups = {group: [row for row in rows if row["group"] == group] for group in dict.fromkeys(row["group"] for row in rows)}
    for group, part in {**groups, "all": rows}.items():
        package, python = mean_ratio(part), mean_ratio(part, "jit-python")
        yield (f"| {group} | {len(part)} | {f'{package[0]:.2f}' if package else ''} | {f'{python[0]:.2f}' if python else ''} | "
               f"{f'{package[2]} of {package[1]}' if package else ''} |")
    yield f"\n![times relative to eager]({picture})\n"
    behind = [(time_of(row, "jit") / best_peer(row)[1], row["workload"], best_peer(row)[0]) for row in rows
              if time_of(row, "jit") and best_peer(row) and time_of(row, "jit") > best_peer(row)[1]]
    if behind:
        yield "Behind: " + "; ".join(f"{name} {ratio:.2f} ({peer})" for ratio, name, peer in sorted(behind, reverse=True)) + "."


def failures(rows):
    for row in rows:
        if "error" in row:
            yield f"- {row['workload']}: {row['error']}"
        for name, found in row["peers"].items():
            if "error" in found:
                yield f"- {row['workload']}, {name}: {found['error']}"
            if found.get("wrong"):
                yield f"- {row['workload']}, {name}: differs from eager by {found['difference']:.1e}"


def page(machine, rows, picture):
    peaks, versions = machine["peaks"], ", ".join(f"{k} {v}" for k, v in machine["versions"].items())
    yield f"# CPU, {machine['threads']} threads\n"
    yield f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}; commit {machine['commit']}; {versions}.\n"
    yield (f"Measured in the same run: {peaks['fma']:.0f} GFLOP/s of f32 multiply-adds; memory {peaks['memory']:.1f} GB/s "
           f"(best of reading and copying with streaming stores), cache {peaks['cache']:.0f} GB/s. Peers take turns in rounds; "
           "minima. ~: other processes took over a twentieth of the time; !: wrong values.\n")
    for ours in OURS:
        if mean := mean_ratio(rows, ours):
            yield f"{ours} against the best peer of each row: {mean[0]:.2f} in the geometric mean of {mean[1]}; at or below it in {mean[2]}.\n"
    yield ("jit is a package as a C program calls it, jit-python is `jit_mlir` with arrays of numpy (training: `torch.compile`), jit-strict sums "
           "convolutions as the program writes them.\n")
    yield from mkl(machine, rows)
    yield f"![times relative to eager]({picture})\n"
    yield "## Time relative to eager (TorchScript where there is no eager)\n"
    yield from ratios(rows, peaks)
    yield "\n## Milliseconds: minimum (median)\n"
    yield from table(rows, milliseconds)
    yield "\n## Cold, seconds: export, compile, load and the first call\n"
    yield from table(rows, compile_seconds)
    yield "\n## Peak memory, MB: to compile and load / to run\n"
    yield from table(rows, memory)
    yield "\n## What failed\n"
    yield from failures(rows)


def draw(rows, peaks, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    shown = [name for name in names(rows) if name not in ("eager", "aotinductor", "jit-strict")]
    marks = dict(zip(shown, "osD^vP*Xph<>"))
    figure, axes = plt.subplots(figsize=(9, 0.32 * len(rows) + 1.2), layout="constrained")
    for place, row in enumerate(reversed(rows)):
        limit = least(row, peaks)
        if limit and base(row):
            axes.plot([limit / base(row)] * 2, [place - 0.4, place + 0.4], color="black", lw=1.5,
                      label="limit" if place == 0 else None)
    for name in shown:
        points = [(time_of(row, name) / base(row), place) for place, row in enumerate(reversed(rows)) if time_of(row, name) and base(row)]
        if points:
            ours = name == "jit"
            axes.plot(*zip(*points), marks[name], ms=9 if ours else 5, color="crimson" if ours else None,
                      zorder=3 if ours else 2, alpha=1 if ours else 0.7, label=name)
    axes.axvline(1, color="grey", lw=0.8)
    axes.set(xscale="log", xlabel="time relative to eager PyTorch (further left is faster)", ylim=(-0.7, len(rows) - 0.3))
    axes.set_yticks(range(len(rows)), [row["workload"] for row in reversed(rows)])
    axes.grid(axis="x", alpha=0.3)
    axes.legend(fontsize=8, loc="lower left")
    figure.savefig(path)


def write(path):
    machine, rows = read(pathlib.Path(path))
    rows = [row for row in rows if base(row)] or rows
    picture = path.with_suffix(".svg")
    draw([row for row in rows if base(row)], machine["peaks"], picture)
    full = path.with_suffix(".md")
    full.write_text("\n".join(page(machine, rows, picture.name)) + "\n")
    short = path.with_name(f"{path.stem}-summary.md")
    short.write_text("\n".join(summary(machine, rows, picture.name, full.name)) + "\n")
    print(f"written: {short}, {full}, {picture}")
