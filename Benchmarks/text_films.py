#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Text in rendered films: a Markdown table of the lines that detectors/tesseract.py reads exactly right, and their CPU.

  text_films.py [--seeds N] [--first N] [--frames N] [--write FILE] [--show FOLDER]
  text_films.py --films FILE...

Needs tesseract-ocr (`scripts/setup.sh --text`). It makes an environment with PyPI's numpy and opencv on its first run.
GStreamer renders a page of DejaVu Sans, Serif or Mono, and a camera of 1280x720 moves over it. `--show` writes the
first frame of each film as a picture. `--films` counts what is read in films without text.
"""
import argparse, datetime, os, platform, random, re, subprocess, sys

import environment

HERE = os.path.dirname(os.path.abspath(__file__))
SCRATCH = os.path.join(HERE, '.build', 'text-films')
PACKAGES = ['numpy', 'opencv-python-headless']
DETECTORS = os.path.join(HERE, '..', 'detectors')
WIDTH, HEIGHT = 1280, 720
PAGE = (1600, 900)
RATE = 2  # Frames a second, as `max_rate` in pipelines.
EXPOSURE = 1 / 60
CAPITAL = 0.729  # Height of a capital letter of DejaVu, as a share of the font's size.
FONTS = ('DejaVu Sans', 'DejaVu Serif', 'DejaVu Sans Mono')
LETTERS = (12, 16, 24, 32)
CONDITIONS = (  # Name, standard deviations of the blur in pixels and of the noise, pixels a second.
    ('still', 0, 4, 0), ('noise 9', 0, 9, 0),
    ('blur 1 pixel', 1, 4, 0), ('blur 2 pixels', 2, 4, 0), ('blur 3 pixels', 3, 4, 0),
    ('motion 60 pixels a second', 0, 4, 60), ('motion 180', 0, 4, 180), ('motion 360', 0, 4, 360),
)
WORDS = '''platform departure gate closed parcel Berlin train arrives delivery warning street exit water number invoice
total meeting kitchen between letter camera market garden station window north please return office Saturday morning
quantity customer signature fragile keep upright batch expires room floor reception visitors only staff entrance press
button lift bicycle lane speed limit school zone ahead turn left right harbour ferry ticket machine coffee bakery'''.split()


class Page:
    """A rendered page: its pixels, and each line's text with its box."""

    def __init__(self, letters, seed):
        import numpy, pages
        choose = random.Random(f'{letters} {seed}')
        size = round(letters / CAPITAL)
        texts, self.lines = [], []
        for left in (40, 840):
            y = 30
            while y < PAGE[1] - 6 * size and len(texts) < 24:
                for _ in range(choose.randint(1, 3)):
                    texts.append((left, y, size, self.phrase(choose, 700 / size / 0.65)))
                    y += round(1.3 * size)
                y += round((1.5 + choose.random()) * size)
        dark = choose.random() < 0.3
        colours = {'ground': 40, 'ink': 220} if dark else {'ground': 200, 'ink': 30}
        rendered = pages.page(*texts, width=PAGE[0], height=PAGE[1], font=choose.choice(FONTS), **colours)
        self.pixels = numpy.frombuffer(rendered, numpy.uint8).reshape(PAGE[1], PAGE[0])
        for x, y, _, text in texts:
            part = self.pixels[y : y + round(1.3 * size), x - 10 : x + 750]
            rows, columns = numpy.nonzero(abs(part.astype(int) - colours['ground']) > 40)
            assert columns.max() < 740, text
            self.lines.append((text, (x - 10 + columns.min(), y + rows.min(), x - 10 + columns.max(), y + rows.max())))

    @staticmethod
    def phrase(choose, longest):
        words = []
        for _ in range(choose.randint(2, 4)):
            kind = choose.random()
            time, number = f'{choose.randint(0, 23)}:{choose.randint(10, 59)}', str(choose.randint(10, 9999))
            words.append(time if kind < 0.1 else number if kind < 0.2 else choose.choice(WORDS))
        while len(' '.join(words)) > longest:
            words.pop()
        return ' '.join(words)


def position(seconds, speed):
    """The camera's upper left corner: to and fro at a steady speed."""
    def between(distance, most):
        return most - abs(distance % (2 * most) - most)
    return between(0.8 * speed * seconds, PAGE[0] - WIDTH), between(0.6 * speed * seconds, PAGE[1] - HEIGHT)


def frame(page, number, blur, noise, speed, seed):
    """(pixels, the camera's corner in the middle of the exposure)"""
    import cv2, numpy
    start, steps = number / RATE, 8 if speed else 1
    total = numpy.zeros((HEIGHT, WIDTH), numpy.float32)
    for step in range(steps):
        x, y = position(start + EXPOSURE * step / steps, speed)
        total += cv2.getRectSubPix(page, (WIDTH, HEIGHT), (x + (WIDTH - 1) / 2, y + (HEIGHT - 1) / 2)) / steps
    if blur:
        total = cv2.GaussianBlur(total, (0, 0), blur)
    total += numpy.random.default_rng((seed, number)).normal(0, noise, total.shape)
    pixels = numpy.clip(total, 0, 255).astype(numpy.uint8)
    return pixels, position(start + EXPOSURE / 2, speed)


class Total:
    def __init__(self):
        self.visible = self.right = self.wrong = self.frames = 0
        self.cpu = 0.0

    def cell(self):
        share = 100 * self.right / self.visible
        wrong = 100 * self.wrong / self.visible
        return f'{share:.1f} %, {wrong:.1f} %, {self.cpu / self.frames:.0f} ms'


def cpu_ms(process):
    with open(f'/proc/{process.pid}/stat', encoding='ascii') as file:
        fields = file.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf('SC_CLK_TCK')


def play(letters, blur, noise, speed, seed, frames, total, picture):
    import cv2
    from host import Host
    page = Page(letters, seed)
    command = ['/usr/bin/python3', os.path.join(DETECTORS, 'tesseract.py')]
    with Host(command, WIDTH, HEIGHT) as host:
        host.ready()
        begin = cpu_ms(host.process)
        for number in range(frames):
            pixels, corner = frame(page.pixels, number, blur, noise, speed, seed)
            if picture and number == 0:
                cv2.imwrite(picture, pixels)
            count(page, corner, letters, host.answer(pixels.tobytes()), total)
        total.cpu += cpu_ms(host.process) - begin
        total.frames += frames


def count(page, corner, letters, detections, total):
    """Compares the lines of one frame with those in view. A line is right with its text at its place."""
    lines = []
    for text, (left, top, right, bottom) in page.lines:
        lines.append((text, left - corner[0], top - corner[1], right - corner[0], bottom - corner[1]))
    # Parts of a line at the picture's edge are neither right nor wrong.
    whole = {line for line in lines if min(line[1], line[2], WIDTH - line[3], HEIGHT - line[4]) >= letters / 2}
    total.visible += len(whole)
    read = set()
    for detection in detections:
        x, y, width, height = detection['box']
        for found in detection['attributes']['lines']:
            left, top, across, down = found['box']
            middle_x, middle_y = x + (left + across / 2) * width, y + (top + down / 2) * height
            there = [line for line in lines if line[1] <= middle_x <= line[3] and line[2] <= middle_y <= line[4]]
            if there and there[0] not in whole:
                continue
            if there and there[0][0] == found['value']:
                read.add(there[0])
            else:
                total.wrong += 1
    total.right += len(read)


def films(paths):
    """Prints what the reader reports in each film, and its CPU. The films are scaled to 1280x720."""
    from host import Host
    print('| film | frames | texts | CPU ms a frame |\n|---|---|---|---|')
    for path in paths:
        caps = f'video/x-raw,format=GRAY8,width={WIDTH},height={HEIGHT},framerate={RATE}/1'
        convert = ['videoconvert', '!', 'videorate', '!', 'videoscale', 'add-borders=false', '!', caps, '!', 'fdsink']
        source = ['gst-launch-1.0', '-q', 'filesrc', f'location={path}', '!', 'decodebin', '!', *convert]
        decoder = subprocess.Popen(source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        frames = texts = 0
        with Host(['/usr/bin/python3', os.path.join(DETECTORS, 'tesseract.py')], WIDTH, HEIGHT) as host:
            host.ready()
            begin = cpu_ms(host.process)
            while len(pixels := decoder.stdout.read(WIDTH * HEIGHT)) == WIDTH * HEIGHT:
                frames += 1
                texts += len(host.answer(pixels))
            spent = cpu_ms(host.process) - begin
        decoder.wait()
        print(f'| {os.path.basename(path)} | {frames} | {texts} | {spent / max(frames, 1):.0f} |', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seeds', type=int, default=3)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--frames', type=int, default=20)
    parser.add_argument('--write', metavar='FILE', help='replaces the table between the marks in this page')
    parser.add_argument('--films', nargs='+', metavar='FILE')
    parser.add_argument('--show', metavar='FOLDER')
    options = parser.parse_args()
    environment.continue_in(SCRATCH, PACKAGES)
    sys.path[:0] = [os.path.join(DETECTORS, 'tests'), DETECTORS]
    if options.films:
        return films(options.films)
    heads = ' | '.join(f'{letters} pixels' for letters in LETTERS)
    rows = [f'| film | {heads} |', '|---|' + '---|' * len(LETTERS)]
    print('\n'.join(rows), flush=True)
    for name, blur, noise, speed in CONDITIONS:
        cells = []
        for letters in LETTERS:
            total = Total()
            for seed in range(options.first, options.first + options.seeds):
                shown = options.show and seed == options.first
                picture = shown and os.path.join(options.show, f'{letters}-{name}.png'.replace(' ', '-'))
                play(letters, blur, noise, speed, seed, options.frames, total, picture)
            cells.append(total.cell())
        rows.append(f'| {name} | ' + ' | '.join(cells) + ' |')
        print(rows[-1], flush=True)
    if options.write:
        processor = re.search('model name\\s*: (.*)', open('/proc/cpuinfo', encoding='utf-8').read())
        table = '\n'.join([
            f'- Machine: {processor[1] if processor else platform.machine()}, two cores shared with other work',
            f'- Date: {datetime.date.today()}', '', *rows])
        with open(options.write, encoding='utf-8') as file:
            page = file.read()
        marks = re.search('<!-- text_films -->\n()(?:.*?\n)?()<!-- end -->', page, flags=re.S)
        page = page[: marks.start(1)] + table + '\n' + page[marks.end(2) :]
        with open(options.write, 'w', encoding='utf-8') as file:
            file.write(page)


if __name__ == '__main__':
    main()
