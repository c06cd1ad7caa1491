# SPDX-License-Identifier: Apache-2.0
"""The measurements of soak.py: the resources of each process, their growth, and a plot."""
import collections
import math
import os

GROWTH = {"rss": 1 << 20, "fds": 1, "threads": 1}
"""Growth in an hour. More than this, beyond the noise, is a leak."""
LABELS = {"rss": ("private memory, KiB", 1024), "fds": ("descriptors", 1), "threads": ("threads", 1)}
# Student's t, 97.5 %, by degrees of freedom.
STUDENT = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10, 2.09, 2.09]


def by_process(samples):
    """The samples of each process that lives: {(name, process): [sample]}."""
    found = collections.defaultdict(list)
    for sample in samples:
        found[sample["name"], sample["process"]].append(sample)
    return found


def slope(samples, key, warm_up):
    """Units an hour after the warm-up, with the 95 % interval: least squares over the means of twelfths of the time.

    Memory goes up and down in steps that last longer than the distance of samples (batch means: Law, Simulation
    Modeling and Analysis, 9.5.3).
    """
    samples = [sample for sample in samples if sample["seconds"] >= samples[0]["seconds"] + warm_up]
    size = -(-len(samples) // 12)
    batches = [samples[start:start + size] for start in range(0, len(samples), size)] if size > 3 else []
    points = [(sum(each["seconds"] for each in batch) / len(batch) / 3600, sum(each[key] for each in batch) / len(batch))
              for batch in batches]
    n = len(points)
    if n < 4:
        return math.nan, math.nan
    mean_x, mean_y = (sum(point[i] for point in points) / n for i in (0, 1))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    gain = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    square = sum((y - mean_y - gain * (x - mean_x)) ** 2 for x, y in points)
    return gain, STUDENT[min(n - 3, len(STUDENT) - 1)] * math.sqrt(square / (n - 2) / spread)


def growth(samples, warm_up, shortest):
    """Prints the resources of each process that lived for `shortest` seconds after the warm-up.

    Returns whether one of them grows.
    """
    is_bad = False
    for (name, process), own in sorted(by_process(samples).items()):
        if own[-1]["seconds"] - own[0]["seconds"] < shortest + warm_up:
            continue
        for key, (label, unit) in LABELS.items():
            gain, interval = slope(own, key, warm_up)
            values = [each[key] for each in own]
            grows = gain - interval > GROWTH[key]
            is_bad |= grows
            if key == "rss" or grows:
                print(f"{name}: {label}: {values[0] / unit:.0f} at first, {min(values) / unit:.0f} to {max(values) / unit:.0f}, "
                      f"{gain / unit:+.1f} +- {interval / unit:.1f} an hour{' (GROWS)' if grows else ''}")
    return is_bad


def plot(samples, path):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "soak"
    from matplotlib import pyplot

    programs = ["supervisor", "web", "relay", "zygote"]
    found = by_process(samples)
    shown = collections.defaultdict(list)
    for (name, process), own in found.items():
        shown[name] += own
    figure, axes = pyplot.subplots(3, 1, sharex=True, figsize=(9, 9), constrained_layout=True)
    views = (("private memory, MiB", "rss", 1 << 20, [name for name in shown if name in programs]),
             ("of workers, MiB", "rss", 1 << 20, [name for name in shown if name not in programs]),
             ("descriptors", "fds", 1, [name for name in shown if name in programs]))
    for axis, (label, key, unit, names) in zip(axes, views):
        for name in sorted(names):
            own = sorted(shown[name], key=lambda each: each["seconds"])
            axis.plot([each["seconds"] / 60 for each in own], [each[key] / unit for each in own], linewidth=0.8, label=name)
        axis.set_ylabel(label)
        axis.set_ylim(bottom=0)
        axis.legend(loc="upper left", ncols=5, fontsize="x-small")
    axes[-1].set_xlabel("minutes")
    figure.savefig(path, metadata={"Date": None})
    with open(path) as file:
        text = "".join(f"{line.rstrip()}\n" for line in file)
    with open(path, "w") as file:
        file.write(text)
    assert os.path.getsize(path) < 1 << 20
