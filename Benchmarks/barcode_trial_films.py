# SPDX-License-Identifier: Apache-2.0
"""Films that are hard for the barcode reader of streams.

They show small noisy retail codes, codes that come and go, and things that only look like codes.

Each trial has a name, a kind, a size and a number of frames. `frame(number)` gives the luma. `truth(number)` gives the
symbols wholly in view as (format, text, corners). Everything follows from the trial's seed. `barcode_trials.py`
measures on them.
"""
import math
import cv2
import numpy as np

from barcode_clips import Clip, Label, around

RATE = 30
SIZE = (640, 360)


def retail_text(form, random):
    """A random number with its check digit."""
    digits = {'ean_13': 12, 'ean_8': 7, 'upc_a': 11, 'upc_e': 7}[form]
    body = [int(d) for d in random.integers(0, 10, digits)]
    if form == 'ean_13':
        body[0] = int(random.integers(1, 10))
    if form == 'upc_e':
        body[0] = 0
    wide = expanded(body) if form == 'upc_e' else body
    total = sum(d * (3 if i % 2 == 0 else 1) for i, d in enumerate(reversed(wide)))
    return ''.join(map(str, body)) + str(-total % 10)


def expanded(body):
    """The eleven digits of UPC-A that seven of UPC-E stand for."""
    d = body[1:]
    if d[5] <= 2:
        return body[:1] + d[:2] + [d[5], 0, 0, 0, 0] + d[2:5]
    if d[5] == 3:
        return body[:1] + d[:3] + [0, 0, 0, 0, 0] + d[3:5]
    if d[5] == 4:
        return body[:1] + d[:4] + [0, 0, 0, 0, 0] + d[4:5]
    return body[:1] + d[:5] + [0, 0, 0, 0] + d[5:6]


class Trial(Clip):
    """A clip in memory.

    `sees` changes a painted frame before the sensor's noise. `jpeg` is the quality of its blocks; 0 means no blocks.
    `exposures` are averaged over half a frame's time. `rate` is that of H.264 in bits a second; 0 means lossless.
    """

    def __init__(self, name, kind, labels, seconds=2, size=SIZE, seed=1, noise=4, defocus=0.5, light=1.0, jpeg=0, sees=None,
                 exposures=1, rate=0):
        super().__init__(name, size, labels, seconds, noise, lambda t: defocus, exposures, seed=seed)
        self.kind, self.light, self.jpeg, self.sees, self.rate = kind, light, jpeg, sees, rate

    def prepare(self, worker, folder):
        for label in self.labels:
            label.draw(worker, folder)
        self.back = self.background(np.random.default_rng(self.seed))

    def frame(self, number):
        t = number / RATE
        random = np.random.default_rng([self.seed, number])
        frame = np.zeros_like(self.back)
        for exposure in range(self.exposures):
            painted = self.back.copy()
            for label in self.labels:
                self.paint(painted, label, t + self.shutter / RATE * ((exposure + 0.5) / self.exposures - 0.5))
            frame += painted / self.exposures
        if self.sees:
            frame = self.sees(frame, t)
        if self.defocus(t) > 0.3:
            frame = cv2.GaussianBlur(frame, (0, 0), self.defocus(t))
        frame = frame * self.light + random.normal(0, self.noise, frame.shape)
        frame = np.clip(frame, 0, 255).astype(np.uint8)
        if self.jpeg:
            frame = cv2.imdecode(cv2.imencode('.jpg', frame, [cv2.IMWRITE_JPEG_QUALITY, self.jpeg])[1], cv2.IMREAD_GRAYSCALE)
        return frame

    def truth(self, number):
        width, height = self.size
        visible = []
        for label in self.labels:
            corners, _ = label.corners(number / RATE)
            if all(4 <= x < width - 4 and 4 <= y < height - 4 for x, y in corners):
                visible.append((label.form, label.text, corners))
        return visible


MODULES = {'ean_13': 95, 'ean_8': 67, 'upc_a': 95, 'upc_e': 51}
#: noise in grey levels, defocus in pixels, light, quality of JPEG
CONDITIONS = {'noise': (14, 0.6, 1, 0), 'blocks': (6, 0.6, 1, 35), 'dark': (5, 0.6, 0.22, 60), 'blur': (5, 1.0, 1, 80)}


def drifting(kind, modules, text, seeds):
    """Linear codes of 0.8 to 1.6 pixels a module that drift slowly."""
    for seed in seeds:
        for form in modules:
            for module in (0.8, 0.95, 1.1, 1.25, 1.4, 1.6):
                for condition, (noise, defocus, light, jpeg) in CONDITIONS.items():
                    number = seed * 1000 + int(module * 100) + len(condition) + modules[form]
                    random = np.random.default_rng([number, seed])
                    pose = around(320 + random.uniform(-90, 90), 180 + random.uniform(-60, 60), module * modules[form],
                                  radius=random.uniform(4, 14), period=random.uniform(3, 7), turn=random.uniform(-5, 5))
                    yield Trial(f'{kind} {form} {module} {condition} {seed}', 'retail',
                                [Label(form, text(form, random), pose, zoom=1)], seed=number, noise=noise, defocus=defocus,
                                light=light, jpeg=jpeg)


def retail(seeds):
    return drifting('retail', MODULES, retail_text, seeds)


#: of GL-0000, whose digits take two characters, and of 14 digits
LOGISTIC_MODULES = {'code_128': 101, 'itf': 135}


def logistic_text(form, random):
    """A part's number, or a carton's with its check digit."""
    if form == 'code_128':
        return 'GL-%04d' % random.integers(0, 10000)
    body = [int(d) for d in random.integers(0, 10, 13)]
    return ''.join(map(str, body)) + str(-sum(d * (3 if i % 2 == 0 else 1) for i, d in enumerate(body)) % 10)


def logistic(seeds):
    return drifting('logistic', LOGISTIC_MODULES, logistic_text, seeds)


FORMS = [('qr_code', 'https://glimpse.example/%d', 84), ('ean_13', None, 130), ('code_128', 'GLIMPSE-%04d', 140),
         ('data_matrix', 'PART-%04d', 60)]


def shaken(seeds):
    """Retail codes that shake so fast that each frame smears them, and codes in H.264 at low rates."""
    for seed in seeds:
        for form in MODULES:
            for module in (0.8, 0.95, 1.1, 1.25, 1.4, 1.6):
                for condition in ('motion', 'h264'):
                    number = seed * 1000 + int(module * 100) + len(condition) + MODULES[form]
                    random = np.random.default_rng([number, seed, 1])
                    isMoving = condition == 'motion'
                    pose = around(320 + random.uniform(-90, 90), 180 + random.uniform(-60, 60), module * MODULES[form],
                                  radius=random.uniform(8, 20) if isMoving else random.uniform(4, 14),
                                  period=random.uniform(0.5, 1) if isMoving else random.uniform(3, 7), turn=random.uniform(-5, 5))
                    yield Trial(f'retail {form} {module} {condition} {seed}', 'retail',
                                [Label(form, retail_text(form, random), pose, zoom=1)], seed=number, noise=5, defocus=0.6,
                                exposures=5 if isMoving else 1, rate=0 if isMoving else int(random.choice([100_000, 200_000, 400_000])))


def some_label(index, random, pose):
    form, text, width = FORMS[index % len(FORMS)]
    text = retail_text(form, random) if text is None else text % (100 * int(random.integers(1, 90)) + index)
    return Label(form, text, pose(width), zoom=1)


def scroll(seeds):
    """A page of codes that scrolls through the picture: three columns, a row every `step` pixels."""
    for seed in seeds:
        for speed in (60, 120, 200):
            random = np.random.default_rng([7, seed, speed])
            labels, step = [], 130
            for row in range(12):
                for column in range(3):
                    x, y = 110 + 210 * column + random.uniform(-8, 8), 400 + step * row
                    labels.append(some_label(len(labels) + row, random, lambda w, x=x, y=y: lambda t: (
                        x, y - speed * t, w, 0, 0, 0)))
            yield Trial(f'scroll {speed} {seed}', 'entering', labels, seconds=6, seed=seed)


def entering(seeds):
    """Codes that slide in from an edge one after the other, and stay."""
    for seed in seeds:
        random = np.random.default_rng([8, seed])
        labels = []
        for index in range(9):
            x, y = 110 + 210 * (index % 3), 70 + 110 * (index // 3)
            begin = 0.3 + 0.7 * index + random.uniform(0, 0.3)

            def pose(width, x=x, y=y, begin=begin):
                def at(t):
                    left = max(0.0, 1 - max(0.0, t - begin) / 0.4)
                    return x, y - left * (y + 120), width, 0, 0, 0
                return at
            labels.append(some_label(index, random, pose))
        yield Trial(f'entering {seed}', 'entering', labels, seconds=6, seed=seed)


def panel(seeds):
    """A QR code that a panel hides for 19 frames, 102 to 120."""
    for seed in seeds:
        random = np.random.default_rng([9, seed])
        x, y, width = random.uniform(200, 440), random.uniform(130, 230), random.uniform(80, 130)

        def sees(frame, t, x=x, y=y, reach=width * 0.75, seed=seed):
            number = round(t * RATE)
            if 102 <= number < 121:
                frame = frame.copy()
                top, left = int(y - reach), int(x - reach)
                part = frame[max(0, top):int(y + reach), max(0, left):int(x + reach)]
                part[:] = 70
            return frame
        text = f'https://glimpse.example/{int(random.integers(1000, 9999))}'
        yield Trial(f'panel {seed}', 'panel', [Label('qr_code', text, around(x, y, width, radius=3, period=5), zoom=1)], seconds=8,
                    seed=seed, sees=sees)


# Objects that are not codes.

def fence(random, w, h):
    period, picture = random.uniform(7, 26), np.full((h, w), random.uniform(130, 220), np.float32)
    slant = random.uniform(-0.2, 0.2)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    bars = ((x + slant * y) % period) < period * random.uniform(0.4, 0.7)
    return np.where(bars, random.uniform(20, 90), picture)


def stripes(random, w, h):
    picture = np.full((h, w), 150, np.float32)
    for _ in range(int(random.integers(2, 6))):
        cw, ch = int(random.integers(60, 220)), int(random.integers(40, 160))
        left, top = int(random.integers(0, w - cw)), int(random.integers(0, h - ch))
        widths = random.integers(2, 14, 200)
        line = np.concatenate([np.full(n, 30 if i % 2 else 220) for i, n in enumerate(widths)]).astype(np.float32)
        cloth = np.tile(line[:max(cw, ch)], (max(cw, ch), 1))
        picture[top:top + ch, left:left + cw] = (cloth if random.random() < 0.5 else cloth.T)[:ch, :cw]
    return picture


def keyboard(random, w, h):
    dark, light = random.uniform(20, 50), random.uniform(170, 240)
    picture, key = np.full((h, w), random.uniform(70, 120), np.uint8), int(random.integers(14, 34))
    for row in range(2, h // key - 1):
        for column in range(1, w // key - 1):
            left, top = column * key + row % 3 * key // 4, row * key
            cv2.rectangle(picture, (left, top), (left + key - 4, top + key - 4), dark, -1)
            cv2.putText(picture, chr(65 + int(random.integers(0, 26))), (left + key // 5, top + key * 2 // 3),
                        cv2.FONT_HERSHEY_SIMPLEX, key / 50, light, 1, cv2.LINE_AA)
    return picture


def text(random, w, h):
    picture, size = np.full((h, w), 235, np.uint8), random.uniform(0.35, 0.8)
    for line in range(int(h / (40 * size))):
        words = ' '.join(''.join(chr(97 + int(c)) for c in random.integers(0, 26, int(random.integers(2, 9)))) for _ in range(12))
        cv2.putText(picture, words, (int(20 * size), int((line + 1) * 40 * size)), cv2.FONT_HERSHEY_SIMPLEX, size, 25,
                    1 if size < 0.6 else 2, cv2.LINE_AA)
    return picture


def hair(random, w, h):
    noise = random.normal(0, 1, (h, w)).astype(np.float32)
    strands = cv2.GaussianBlur(noise, (0, 0), sigmaX=1.0, sigmaY=float(random.uniform(8, 20)))
    strands = 90 + 55 * strands / strands.std()
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), random.uniform(0, 180), 1.6)
    strands = cv2.warpAffine(strands, turn, (w, h), borderMode=cv2.BORDER_REFLECT)
    mask = np.zeros((h, w), np.float32)
    cv2.ellipse(mask, (w // 2, h // 2), (w // 5, h // 3), 20, 0, 360, 1, -1)
    return strands * mask + 180 * (1 - mask)


def wall(random, w, h):
    picture, brick = np.full((h, w), 190, np.float32), int(random.integers(18, 50))
    for row in range(h // (brick // 2) + 1):
        for column in range(-1, w // brick + 1):
            left, top = column * brick + (row % 2) * brick // 2, row * brick // 2
            cv2.rectangle(picture, (left, top), (left + brick - 4, top + brick // 2 - 4), float(random.uniform(60, 120)), -1)
    return picture


TEXTURES = [fence, stripes, keyboard, text, hair, wall]


class Texture(Trial):
    """A picture without a code, under a camera that pans slowly over it."""

    def __init__(self, name, picture, seed, **more):
        super().__init__(name, 'texture', [], seconds=5, seed=seed, **more)
        self.picture = picture

    def prepare(self, worker, folder):
        width, height = self.size
        wide = np.float32(self.picture)
        scale = 1.25 * max(width / wide.shape[1], height / wide.shape[0])
        self.wide = cv2.resize(wide, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        self.back = None

    def frame(self, number):
        width, height = self.size
        t = number / RATE
        rows, columns = self.wide.shape
        x = (columns - width) / 2 * (1 + 0.8 * math.sin(0.7 * t + self.seed))
        y = (rows - height) / 2 * (1 + 0.8 * math.cos(0.5 * t + self.seed))
        shift = np.float32([[1, 0, -x], [0, 1, -y]])
        self.back = cv2.warpAffine(self.wide, shift, self.size, flags=cv2.INTER_LINEAR)
        return super().frame(number)


def textures(seeds, photographs=()):
    for seed in seeds:
        for make in TEXTURES:
            random = np.random.default_rng([10, seed, TEXTURES.index(make)])
            yield Texture(f'texture {make.__name__} {seed}', make(random, 900, 520), seed)
    for path in photographs:
        picture = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
        if picture is not None and min(picture.shape) >= 100:
            yield Texture('texture ' + path.rsplit('/', 1)[-1], picture, 3, noise=2)
