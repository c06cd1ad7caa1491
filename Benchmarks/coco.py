#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""AP50 of the object models through Glimpse beside the same files run by a plain OpenVINO script: a Markdown table.

  coco.py CORPUS MODELS [--write docs/performance/networks.md]

CORPUS has photographs with YOLO-format boxes beside them (class, cx, cy, w, h in 0..1), MODELS the files of the
catalogue. The plain script resizes and letterboxes with NumPy like cv2.INTER_LINEAR, and reads the outputs like the
models' authors. It runs once on pictures that Pillow decodes, and once on the planes that the pipeline decodes. These
planes are resized before the colour conversion, as in the pipeline. Run the script in the project's folder, after
`make build`. It makes an environment on its first run.
"""
import argparse, glob, io, os, re, subprocess, sys

import environment

HERE = os.path.dirname(os.path.abspath(__file__))
SCRATCH = os.path.join(HERE, '.build', 'coco')
PACKAGES = ['openvino==2026.4.1', 'numpy', 'pillow']
MODELS = {'yolox_nano': ('yolox_nano_416.onnx', 416, 0.5), 'fastestdet': ('FastestDet.onnx', 352, 0.45)}
SCORE = 0.01
BENCH = os.path.join(HERE, '..', '.build', 'release', 'inference-bench')
# The shares of red and blue in luma: ITU-R BT.601, BT.709, BT.2020.
WEIGHTS = {'bt601': (0.299, 0.114), 'bt709': (0.2126, 0.0722), 'bt2020': (0.2627, 0.0593)}


def bilinear(picture, width, height):
    """With half-pixel centres, no smoothing before: cv2.INTER_LINEAR, not rounded. Pillow's own bilinear smooths."""
    import numpy as np
    rows, columns = picture.shape[:2]

    def taps(source, target):
        place = np.clip((np.arange(target) + 0.5) * source / target - 0.5, 0, source - 1)
        first = np.floor(place).astype(int)
        return first, np.minimum(first + 1, source - 1), place - first
    a, b, share = taps(rows, height)
    picture = picture.astype(float)
    lines = picture[a] + (picture[b] - picture[a]) * share[:, None, None]
    a, b, share = taps(columns, width)
    return lines[:, a] + (lines[:, b] - lines[:, a]) * share[None, :, None]


class Pillow:
    """A picture that Pillow decodes, resized in whole grey levels as OpenCV does; blue, green, red."""

    def __init__(self, path):
        import numpy as np
        from PIL import Image
        self.picture = np.asarray(Image.open(path).convert('RGB'))[:, :, ::-1]
        self.height, self.width = self.picture.shape[:2]

    def resized(self, width, height):
        import numpy as np
        return np.round(bilinear(self.picture, width, height))


class Planes:
    """A picture that the pipeline decodes (`inference-bench planes`): each plane resized, then colours converted."""

    def __init__(self, stream):
        import numpy as np
        self.format, width, height, self.matrix, self.range = stream.readline().decode().split()
        self.width, self.height = int(width), int(height)

        def plane(rows, columns, samples=1):
            return np.frombuffer(stream.read(rows * columns * samples), np.uint8).reshape(rows, columns, samples)
        self.planes = [plane(self.height, self.width)]
        half = self.height // 2, self.width // 2
        if self.format == 'nv12':
            chroma = plane(*half, 2)
            self.planes += [chroma[:, :, :1], chroma[:, :, 1:]]
        elif self.format == 'i420':
            self.planes += [plane(*half), plane(*half)]

    def resized(self, width, height):
        import numpy as np
        planes = [bilinear(plane, width, height)[:, :, 0] for plane in self.planes]
        if len(planes) == 1:
            return np.stack(planes * 3, -1)
        (y, u, v), (red, blue), full = planes, WEIGHTS[self.matrix], self.range == 'full'
        y = y if full else (y - 16) * 255 / 219
        u, v = ((chroma - 128) * 2 * (1 if full else 255 / 224) for chroma in (u, v))
        b, r = y + u * (1 - blue), y + v * (1 - red)
        return np.clip(np.stack([b, (y - red * r - blue * b) / (1 - red - blue), r], -1), 0, 255)


def decoded(files):
    stream = io.BytesIO(subprocess.check_output([BENCH, 'planes', *files]))
    return [Planes(stream) for _ in files]


def suppressed(boxes, scores, classes, overlap):
    import numpy as np
    kept = []
    for index in np.argsort(-scores, kind='stable'):
        if all(classes[k] != classes[index] or iou(boxes[k], boxes[index]) <= overlap for k in kept):
            kept.append(index)
    return kept


def iou(a, b):
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0
    common = width * height
    return common / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common)


def yolox(output, ratio, size):
    import numpy as np
    grids, strides = [], []
    for stride in (8, 16, 32):
        cells = size // stride
        y, x = np.mgrid[:cells, :cells]
        grids.append(np.stack([x.ravel(), y.ravel()], 1))
        strides.append(np.full((cells * cells, 1), stride))
    grids, strides = np.concatenate(grids), np.concatenate(strides)
    values = output[0]
    centre = (values[:, :2] + grids) * strides / ratio
    half = np.exp(values[:, 2:4]) * strides / ratio / 2
    scores = values[:, 4:5] * values[:, 5:]
    return np.concatenate([centre - half, centre + half], 1), scores.max(1), scores.argmax(1)


def fastestdet(output, width, height):
    import numpy as np
    values = output[0]
    rows, columns = values.shape[1:]
    y, x = np.mgrid[:rows, :columns]
    centre = [(np.tanh(values[1]) + x) / columns * width, (np.tanh(values[2]) + y) / rows * height]
    half = [1 / (1 + np.exp(-values[3])) * width / 2, 1 / (1 + np.exp(-values[4])) * height / 2]
    boxes = np.stack([centre[0] - half[0], centre[1] - half[1], centre[0] + half[0], centre[1] + half[1]], -1)
    scores = values[0] ** 0.6 * values[5:].max(0) ** 0.4
    return boxes.reshape(-1, 4), scores.ravel(), values[5:].argmax(0).ravel()


def plain(name, folder, files, pictures):
    """(file, class, score, box) by OpenVINO's Python interface."""
    import numpy as np
    import openvino
    file, size, overlap = MODELS[name]
    model = openvino.Core().compile_model(os.path.join(folder, file), 'CPU', {'INFERENCE_PRECISION_HINT': 'f32'})
    found = []
    for path, picture in zip(files, pictures):
        width, height = picture.width, picture.height
        if name == 'yolox_nano':
            ratio = min(size / width, size / height)
            part = picture.resized(int(width * ratio + 0.5), int(height * ratio + 0.5))
            canvas = np.full((size, size, 3), 114.0)
            canvas[:part.shape[0], :part.shape[1]] = part
        else:
            canvas = picture.resized(size, size) / 255
        output = model(canvas.transpose(2, 0, 1)[None].astype(np.float32))[0]
        boxes, scores, classes = yolox(output, ratio, size) if name == 'yolox_nano' else fastestdet(output, width, height)
        chosen = scores >= SCORE
        boxes, scores, classes = boxes[chosen], scores[chosen], classes[chosen]
        kept = suppressed(boxes, scores, classes, overlap)
        boxes = np.clip(boxes, 0, [width, height, width, height])
        found += [(path, int(classes[k]), float(scores[k]), boxes[k]) for k in kept]
    return found


def glimpse(name, folder, files):
    lines = subprocess.check_output(
        [BENCH, 'detect', '--models', folder, '--score', str(SCORE), name, *files], text=True).splitlines()
    found = []
    for line in lines:
        path, label, score, x, y, width, height = line.rsplit(' ', 6)
        x, y, width, height = float(x), float(y), float(width), float(height)
        found.append((path, int(label), float(score), (x, y, x + width, y + height)))
    return found


def truth(files):
    from PIL import Image
    boxes = []
    for path in files:
        width, height = Image.open(path).size
        for line in open(os.path.splitext(path)[0] + '.txt'):
            label, x, y, w, h = (float(value) for value in line.split())
            boxes.append((path, int(label), ((x - w / 2) * width, (y - h / 2) * height,
                                             (x + w / 2) * width, (y + h / 2) * height)))
    return boxes


def ap50(found, expected):
    """COCO's mean precision at 101 recalls over the classes that occur.

    Overlaps of 0.5 or more count, and at most 100 boxes a picture.
    """
    import numpy as np
    ranked, of_picture = [], {}
    for item in sorted(found, key=lambda item: -item[2]):
        of_picture[item[0]] = of_picture.get(item[0], 0) + 1
        if of_picture[item[0]] <= 100:
            ranked.append(item)
    means = []
    for label in sorted({box[1] for box in expected}):
        wanted = [box for box in expected if box[1] == label]
        taken, hits = set(), []
        for path, _, _, box in (item for item in ranked if item[1] == label):
            rest = [(iou(box, other[2]), k) for k, other in enumerate(wanted) if other[0] == path and k not in taken]
            best = max(rest, default=(0, -1))
            hits.append(best[0] >= 0.5)
            if hits[-1]:
                taken.add(best[1])
        true = np.cumsum(hits) if hits else np.zeros(0)
        precision = true / (np.arange(len(hits)) + 1)
        precision = np.maximum.accumulate(precision[::-1])[::-1]
        recall = true / len(wanted)
        places = np.searchsorted(recall, np.linspace(0, 1, 101))
        means.append(sum(precision[k] for k in places if k < len(precision)) / 101)
    return 100 * float(np.mean(means))


def agreement(ours, theirs):
    """The share of the plain script's boxes of 0.3 or more that Glimpse has too.

    A box agrees in class, with an overlap of 0.9 and a score within 0.05.
    """
    sure = [item for item in theirs if item[2] >= 0.3]
    return 100 * sum(any(
        o[0] == t[0] and o[1] == t[1] and iou(o[3], t[3]) >= 0.9 and abs(o[2] - t[2]) <= 0.05 for o in ours
    ) for t in sure) / max(1, len(sure)), len(sure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('models')
    parser.add_argument('--write')
    arguments = parser.parse_args()
    environment.continue_in(SCRATCH, PACKAGES)
    files = sorted(glob.glob(os.path.join(arguments.corpus, '*.jpg')))
    expected = truth(files)
    rows = ['| model | plain script | AP50, plain | AP50, glimpse | difference | boxes of 0.3 or more that agree |', '|---|---|---|---|---|---|']
    inputs = {"Pillow's pictures": [Pillow(file) for file in files], "the pipeline's planes": decoded(files)}
    for name in MODELS:
        ours = glimpse(name, arguments.models, files)
        for label, pictures in inputs.items():
            theirs = plain(name, arguments.models, files, pictures)
            share, count = agreement(ours, theirs)
            a, b = ap50(theirs, expected), ap50(ours, expected)
            rows.append(f'| {name} | {label} | {a:.2f} | {b:.2f} | {b - a:+.2f} | {share:.1f} % of {count} |')
    table = '\n'.join(rows)
    print(table)
    if arguments.write:
        text = open(arguments.write).read()
        text = re.sub(r'(?s)(<!-- coco -->\n).*?(\n<!-- end coco -->)', lambda m: m[1] + table + m[2], text)
        open(arguments.write, 'w').write(text)


if __name__ == '__main__':
    main()
