#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many scene labels are right by threshold: a Markdown table, of the labels judged in scene_labels.txt.

  scenes.py SHARED [--program GLIMPSED] [--write docs/performance/objects.md]

SHARED has the pictures that scene_labels.txt names, and `models`. A label that nobody has judged is listed, and counts
as wrong. Run it in the project's folder, after `make build`; it makes an environment for itself on its first run.
"""
import argparse, json, os, re, subprocess, sys, tempfile

import environment

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = 'shufflenet_v2', 'squeezenet'
THRESHOLDS = 0.2, 0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95
LEAST = 0.1


def judged():
    """(picture, right labels, wrong labels)"""
    for line in open(os.path.join(HERE, 'scene_labels.txt')):
        if line.startswith('#'):
            continue
        name, labels = line.split(':', 1)
        right, wrong = ([label.strip() for label in part.split(',') if label.strip()] for part in labels.split('|'))
        yield name, right, wrong


def picture(shared, name, folder):
    """A file: the picture itself, or the frame of a film."""
    if '@' not in name:
        return os.path.join(shared, name)
    film, place = name.split('@')
    source = os.path.join(shared, film)
    path = os.path.join(folder, f'{os.path.basename(film)}-{place}.png')
    if place.endswith('s'):
        pattern = os.path.join(folder, os.path.basename(film) + '-%ds.png')
        if not os.path.exists(path):
            subprocess.check_call([
                'gst-launch-1.0', '-q', 'filesrc', f'location={source}', '!', 'decodebin', '!', 'videoconvert', '!', 'videorate',
                'drop-only=true', '!', 'video/x-raw,framerate=1/1', '!', 'pngenc', '!', 'multifilesink', f'location={pattern}'])
        return path
    from PIL import Image
    image = Image.open(source)
    image.seek(int(place))
    image.convert('RGB').save(path)
    return path


def labels(program, model, files, models):
    """Label and probability for each file, best first."""
    output = subprocess.check_output(
        [program, 'detect', '--scene', '--set', f'scene.model="{model}"', '--set', f'scene.confidence={LEAST}', *files],
        env={**os.environ, 'GLIMPSED_MODELS_DIR': models}, text=True)
    pictures = [json.loads(line) for line in output.splitlines()]
    return [[(feature['scene']['labels'][0]['text'], feature['confidence']) for feature in each['features']] for each in pictures]


def rows(model, found, judgements):
    for threshold in THRESHOLDS:
        reported = right = pictures = 0
        for given, (_, good, _) in zip(found, judgements):
            names = [label for label, probability in given if probability >= threshold]
            hits = sum(name in good for name in names)
            reported, right, pictures = reported + len(names), right + hits, pictures + (hits > 0)
        share = f'{100 * right / reported:.0f}' if reported else '-'
        yield f'| {model} | {threshold} | {reported} | {right} | {share} | {pictures} |'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('shared')
    parser.add_argument('--program', default=os.path.join(HERE, '..', '.build', 'release', 'glimpsed'))
    parser.add_argument('--write')
    arguments = parser.parse_args()
    environment.continue_in(os.path.join(HERE, '.build', 'scenes'), ['pillow'])
    judgements = list(judged())
    table = ['| model | `confidence` | labels reported | right | % | pictures with a right one |', '|---|---|---|---|---|---|']
    with tempfile.TemporaryDirectory() as folder:
        files = [picture(arguments.shared, name, folder) for name, _, _ in judgements]
        for model in MODELS:
            found = labels(arguments.program, model, files, os.path.join(arguments.shared, 'models'))
            for given, (name, right, wrong) in zip(found, judgements):
                for label, probability in given:
                    if label not in right + wrong:
                        print(f'not judged: {name}: {label} ({model}, {probability:.2f})', file=sys.stderr)
            table += rows(model, found, judgements)
    text = '\n'.join(table)
    print(f'{len(judgements)} pictures\n\n{text}')
    if arguments.write:
        page = open(arguments.write).read()
        page = re.sub(r'(?s)(<!-- scene labels -->\n).*?(\n<!-- end scene labels -->)', lambda m: m[1] + text + m[2], page)
        open(arguments.write, 'w').write(page)


if __name__ == '__main__':
    main()
