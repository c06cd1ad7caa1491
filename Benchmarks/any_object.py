#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Share of COCO's boxes that five objects a picture cover, with and without `object.any`: a Markdown table.

  any_object.py CORPUS MODELS [--program GLIMPSED] [--write docs/performance/objects.md]

CORPUS has photographs with YOLO-format boxes beside them (class, cx, cy, w, h in 0..1), MODELS the files of the
catalogue. `glimpsed detect` runs as released; a box is found where an object overlaps it by half or more, each object
for one box. Run it in the project's folder, after `make build`.
"""
import argparse, glob, json, os, re, subprocess

from coco import iou

RELEASE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '.build', 'release', 'glimpsed')
LIMIT = 5


def detected(program, files, models, *settings):
    command = [program, 'detect', '--object', '--set', f'object.max_objects={LIMIT}']
    for setting in settings:
        command += ['--set', f'object.{setting}']
    output = subprocess.check_output([*command, *files], env={**os.environ, 'GLIMPSED_MODELS_DIR': models}, text=True)
    return [json.loads(line) for line in output.splitlines()]


def truth(file):
    boxes = []
    for line in open(os.path.splitext(file)[0] + '.txt'):
        _, x, y, w, h = (float(value) for value in line.split())
        boxes.append((x - w / 2, y - h / 2, x + w / 2, y + h / 2))
    return boxes


def matched(boxes, objects):
    """How many boxes have an object of their own: best overlaps first."""
    pairs = sorted(((iou(box, found), i, j) for i, box in enumerate(boxes) for j, found in enumerate(objects)), reverse=True)
    of_boxes, of_objects = set(), set()
    for overlap, i, j in pairs:
        if overlap >= 0.5 and i not in of_boxes and j not in of_objects:
            of_boxes.add(i)
            of_objects.add(j)
    return len(of_boxes)


def row(program, files, models, model, confidence, is_any):
    found = total = objects = 0
    extra = ['any=true'] if is_any else []
    for file, picture in zip(files, detected(program, files, models, f'model="{model}"', f'confidence={confidence}', *extra)):
        width, height = picture['width'], picture['height']
        boxes = [feature['box'] for feature in picture['features']]
        boxes = [(b['x'] / width, b['y'] / height, (b['x'] + b['w']) / width, (b['y'] + b['h']) / height) for b in boxes]
        expected = truth(file)
        found, total, objects = found + matched(expected, boxes), total + len(expected), objects + len(boxes)
    return (f'| {model} | {confidence} | {"yes" if is_any else "no"} | {100 * found / total:.1f} ({found} of {total}) '
            f'| {objects / len(files):.2f} | {100 * found / max(1, objects):.1f} |')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('models')
    parser.add_argument('--program', default=RELEASE)
    parser.add_argument('--write')
    arguments = parser.parse_args()
    files = sorted(glob.glob(os.path.join(arguments.corpus, '*.jpg')))
    rows = ['| model | `confidence` | `any` | recall % | objects a picture | of them on a box % |', '|---|---|---|---|---|---|']
    for model in 'yolox_nano', 'fastestdet':
        for confidence in 0.5, 0.3:
            for is_any in False, True:
                rows.append(row(arguments.program, files, arguments.models, model, confidence, is_any))
    table = '\n'.join(rows)
    print(table)
    if arguments.write:
        text = open(arguments.write).read()
        text = re.sub(r'(?s)(<!-- any object -->\n).*?(\n<!-- end any object -->)', lambda m: m[1] + table + m[2], text)
        open(arguments.write, 'w').write(text)


if __name__ == '__main__':
    main()
