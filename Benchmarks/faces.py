#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Faces found by each model, mode and smallest size, in the pictures and films of the shared data: a Markdown table.

  faces.py MEDIA [--glimpsed .build/release/glimpsed] [--write docs/performance/faces.md] [--details]

MEDIA is the shared media folder. Pictures are those of faces.json. A face is found if every edge of a box is within 15
% of the reference's width. Its landmarks are found if all are within 10 % of the eye distance. Small: faces of the
pictures and films, reduced and pasted into 1280x720 pictures of other things, with noise. Films: faces marked by eye
(Tests/Support/film-faces.json). A face is found in a frame if a box holds its middle. Extra: boxes at no face. Films
run without tracking, so that every detection counts. The script makes an environment on its first run. Run it in the
project's folder.
"""
import argparse, json, math, os, subprocess, sys

import environment

HERE = os.path.dirname(os.path.abspath(__file__))
SCRATCH = os.path.join(HERE, '.build', 'faces')
PACKAGES = ['av', 'numpy', 'pillow']
MODELS = ['yunet_n_640_640', 'yunet_s_640_640', 'cascade']
SETTINGS = [('fast', 0.1), ('accurate', 0.1), ('fast', 0.03), ('accurate', 0.05), ('accurate', 0.03), ('accurate', 0.01)]
SMALL = [12, 16, 20, 24, 32, 48, 60]
POINTS = {'right_eye': 'right_eye', 'left_eye': 'left_eye', 'nose': 'nose_base', 'mouth_right': 'mouth_right', 'mouth_left': 'mouth_left'}


def detect(program, files, settings):
    arguments = [program, 'detect', '--face', *(part for setting in settings for part in ('--set', f'face.{setting}')), '-']
    result = subprocess.run(arguments, input='\n'.join(files) + '\n', text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    answers = [json.loads(line)['features'] for line in result.stdout.splitlines()]
    if len(answers) != len(files):
        sys.exit(f'{program} answered for {len(answers)} of {len(files)} pictures, and ended with {result.returncode}')
    return answers


def edges(box, width=math.inf, height=math.inf):
    x, y, w, h = box
    return [max(0, x), max(0, y), min(width, x + w), min(height, y + h)]


def box_of(feature):
    return [feature['box'][key] for key in 'xywh']


def overlap(a, b):
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    common = max(0, width) * max(0, height)
    return common / (a[2] * a[3] + b[2] * b[3] - common)


def judge_pictures(media, program, settings):
    """Found, with their landmarks, of how many; the worst of each in percent; boxes in pictures without a face."""
    folder = os.path.join(media, 'images', 'face')
    with open(os.path.join(folder, 'faces.json'), encoding='utf-8') as file:
        reference = json.load(file)['images']
    others = [os.path.join(media, 'images', 'noface', name) for name in sorted(os.listdir(os.path.join(media, 'images', 'noface')))]
    answers = detect(program, [os.path.join(folder, name) for name in reference] + others, settings)
    found = marked = total = extra = 0
    worst_box = worst_point = 0.0
    for picture, features in zip(reference.values(), answers):
        for face in picture['faces']:
            total += 1
            wanted = edges(face['box'], picture['width'], picture['height'])
            offsets = [max(abs(a - b) for a, b in zip(wanted, edges(box_of(f)))) / face['box'][2] for f in features]
            best = min(range(len(features)), key=offsets.__getitem__, default=None)
            if best is None or offsets[best] > 0.15 and offsets[best] > 1:
                continue
            worst_box = max(worst_box, offsets[best])
            found += offsets[best] <= 0.15
            extra += len(features) - 1
            landmarks = features[best]['face'].get('landmarks', {})
            eyes = math.dist(face['right_eye'], face['left_eye'])
            if all(name in landmarks for name in POINTS.values()):
                worst = max(math.dist(face[point], (landmarks[name]['x'], landmarks[name]['y'])) for point, name in POINTS.items()) / eyes
                worst_point = max(worst_point, worst)
                marked += worst <= 0.1
    return found, marked, total, worst_box, worst_point, extra + sum(map(len, answers[len(reference):]))


def sources(media, films):
    """Pictures of faces with their boxes: what the small ones are made of."""
    import av
    from PIL import Image
    with open(os.path.join(media, 'images', 'face', 'faces.json'), encoding='utf-8') as file:
        reference = json.load(file)['images']
    for name in ('portrait-1080p.jpg', 'astronaut.png'):
        yield Image.open(os.path.join(media, 'images', 'face', name)).convert('RGB'), reference[name]['faces'][0]['box']
    for name, frames in films.items():
        with av.open(os.path.join(media, 'video', name)) as film:
            for number, frame in enumerate(film.decode(video=0), start=1):
                if number in frames:
                    yield frame.to_image(), SIZES[name, number]


# Boxes of faces in frames of the films, by YuNet N and checked by eye.
SIZES = {('asl_again.mkv', 1): [290, 83, 67, 87], ('asl_again.mkv', 45): [286, 72, 65, 84], ('asl_book.mkv', 1): [273, 98, 56, 70],
         ('asl_help.mkv', 1): [299, 78, 68, 90], ('asl_help.mkv', 58): [286, 72, 67, 87],
         ('head-pose-face-detection-female.gif', 10): [197, 58, 66, 91], ('head-pose-face-detection-female.gif', 20): [199, 58, 67, 91]}


def small_faces(media):
    """Files of 1280x720 with faces of one size, and where they are."""
    import numpy
    from PIL import Image
    films = {}
    for name, frame in SIZES:
        films.setdefault(name, []).append(frame)
    faces = list(sources(media, films))
    grounds = [Image.open(os.path.join(media, 'images', 'noface', name)).convert('RGB').resize((1280, 720)) for name in ('coffee.png', 'rocket.jpg', 'chelsea.png')]
    random = numpy.random.default_rng(3)
    for size in SMALL:
        for number, ground in enumerate(grounds):
            picture, truth = ground.copy(), []
            cell = max(90, int(2.8 * size))
            spots = [(x, y) for y in range(10, 720 - cell, cell + 10) for x in range(10, 1280 - cell, cell + 10)]
            random.shuffle(spots)
            for (image, box), (x, y) in zip(faces, spots):
                scale = size / box[2]
                reach = 1.15 * max(box[2], 0.9 * box[3])
                cx, cy = box[0] + box[2] / 2, box[1] + box[3] / 2
                part = [max(0, cx - reach), max(0, cy - reach), min(image.width, cx + reach), min(image.height, cy + reach)]
                shape = round((part[2] - part[0]) * scale), round((part[3] - part[1]) * scale)
                picture.paste(image.resize(shape, Image.BILINEAR, box=part), (int(x), int(y)))
                truth.append([x + (box[0] - part[0]) * scale, y + (box[1] - part[1]) * scale, box[2] * scale, box[3] * scale])
            noisy = numpy.clip(numpy.asarray(picture) + random.normal(0, 4, (720, 1280, 3)), 0, 255).astype(numpy.uint8)
            file = os.path.join(SCRATCH, f'small-{size}-{number}.png')
            Image.fromarray(noisy).save(file, compress_level=1)
            yield size, file, truth


def judge_small(scenes, program, settings):
    """For each size the share that was found; extra boxes in all."""
    answers = detect(program, [file for _, file, _ in scenes], settings)
    found, total, extra = {}, {}, 0
    for (size, _, truth), features in zip(scenes, answers):
        boxes = [box_of(feature) for feature in features]
        hits = set()
        for face in truth:
            best = max(range(len(boxes)), key=lambda index: overlap(boxes[index], face), default=None)
            total[size] = total.get(size, 0) + 1
            if best is not None and overlap(boxes[best], face) >= 0.35:
                found[size] = found.get(size, 0) + 1
                hits.add(best)
        extra += len(boxes) - len(hits)
    return [round(100 * found.get(size, 0) / total[size]) for size in SMALL], extra


def middle(path, frame):
    """Between two marks the face moves evenly."""
    after = next((index for index, mark in enumerate(path) if mark[0] >= frame), len(path) - 1)
    a, b = path[max(0, after - 1)], path[after]
    part = 0 if a[0] == b[0] else min(1, (frame - a[0]) / (b[0] - a[0]))
    return a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])


def judge_film(media, program, film, settings):
    """Faces seen, of how many; boxes at no face; frames."""
    pipeline = os.path.join(SCRATCH, 'face.toml')
    with open(pipeline, 'w', encoding='utf-8') as file:
        file.write('[source]\nkind = "test"\n[face]\n[face.tracking]\nenabled = false\n')
    arguments = [program, 'pipeline', pipeline, '--source', os.path.join(media, 'video', film['film'])]
    arguments += [part for setting in settings for part in ('--set', f'face.{setting}')]
    result = subprocess.run(arguments, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    boxes, last = {}, 0
    for line in map(json.loads, result.stdout.splitlines()):
        if line['type'] == 'detected':
            boxes.setdefault(line['frame']['seq'], []).append(edges(box_of(line)))
        if 'frame' in line:
            last = max(last, line['frame']['seq'])
    frames = FRAMES[film['film']]
    seen = extra = 0
    for frame in range(1, frames + 1):
        rest = boxes.get(frame, [])
        for path in film['paths']:
            x, y = middle(path, frame)
            hit = next((box for box in rest if box[0] <= x < box[2] and box[1] <= y < box[3]), None)
            seen += hit is not None
            rest = [box for box in rest if box is not hit]
        extra += len(rest)
    return seen, frames * len(film['paths']), extra


FRAMES = {'face-demographics-walking.gif': 35, 'classroom.gif': 45, 'head-pose-face-detection-female.gif': 23, 'asl_again.mkv': 77,
          'asl_book.mkv': 109, 'asl_help.mkv': 58}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('media')
    parser.add_argument('--glimpsed', default='.build/release/glimpsed')
    parser.add_argument('--write', metavar='FILE', help='put the table between the marks of "faces found" of this file')
    options = parser.parse_args()
    environment.continue_in(SCRATCH, PACKAGES)

    with open(os.path.join(HERE, '..', 'Tests', 'Support', 'film-faces.json'), encoding='utf-8') as file:
        films = json.load(file)
    scenes = list(small_faces(options.media))
    lines = ['| model | mode | `min_size` | pictures | with landmarks | worst box, landmark % | '
             + ' | '.join(f'{size} px' for size in SMALL) + ' | small faces in films | large faces in films | extra: pictures, small, films |']
    lines.append('|---' * (lines[0].count('|') - 1) + '|')
    for model in MODELS:
        for mode, size in SETTINGS:
            settings = [f'model={model}', f'mode={mode}', f'min_size={size}']
            found, marked, total, box, point, extra = judge_pictures(options.media, options.glimpsed, settings)
            shares, more = judge_small(scenes, options.glimpsed, settings)
            few, many, others = [0, 0], [0, 0], 0
            for film in films:
                seen, faces, rest = judge_film(options.media, options.glimpsed, film, settings)
                group = few if 'min_size' in film else many
                group[0], group[1], others = group[0] + seen, group[1] + faces, others + rest
            cells = [model.removesuffix('_640_640'), mode, size, f'{found} of {total}', f'{marked} of {total}' if point else '-',
                     f'{100 * box:.0f}, {100 * point:.0f}' if point else f'{100 * box:.0f}', *shares, f'{few[0]} of {few[1]}',
                     f'{many[0]} of {many[1]}', f'{extra}, {more}, {others}']
            lines.append('| ' + ' | '.join(map(str, cells)) + ' |')
            print(lines[-1], file=sys.stderr, flush=True)
    table = '\n'.join(lines)
    if options.write:
        with open(options.write, encoding='utf-8') as file:
            text = file.read()
        start, end = '<!-- faces found -->\n', '<!-- end faces found -->'
        if start not in text or end not in text:
            sys.exit(f'{options.write} has no block "faces found"')
        head, rest = text.split(start, 1)
        with open(options.write, 'w', encoding='utf-8') as file:
            file.write(head + start + table + '\n' + end + rest.split(end, 1)[1])
    else:
        print(table)


if __name__ == '__main__':
    main()
