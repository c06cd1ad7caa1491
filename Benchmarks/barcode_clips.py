# SPDX-License-Identifier: Apache-2.0
"""Films of real symbols with known truth: what `barcodes.py` measures on.

A clip is a list of labels. Each label has a symbol, drawn by `glimpsed-worker symbol` (ZXing's writer), and a pose for
each moment. The pose is the place, the size and the rotations of a plane before a pinhole camera. Frames are painted at
twice the size and averaged, over a background with texture and lettering. The number of exposures follows the motion.
Then defocus, sensor noise and H.264 are applied.
"""
import math, os, subprocess, zlib
import cv2
import numpy as np

RATE = 30


class Label:
    """A symbol on paper.

    `pose(t)`: centre x, y and width in pixels. Then in degrees: the turn in the picture, and the tilt about the
    vertical and the horizontal axis.
    """

    def __init__(self, form, text, pose, zoom=4):
        self.form, self.text, self.pose = form, text, pose
        self.zoom = zoom  # of the bitmap before it is warped, so that bars keep their edges

    def draw(self, worker, folder):
        path = os.path.join(folder, f'{self.form}-{hash_of(self.text)}.pgm')
        if not os.path.exists(path):
            subprocess.check_call([worker, 'symbol', self.form, self.text, '--output', path])
        picture = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
        # Quiet zones as the symbologies want them: 11 modules of 95 for EAN-13, 10 of about 100 for short Code 128.
        side = picture.shape[1] // 8 if picture.shape[1] > 2 * picture.shape[0] else picture.shape[1] // 20
        picture = cv2.copyMakeBorder(picture, side // 3, side // 3, side, side, cv2.BORDER_CONSTANT, value=255)
        rows, columns = np.where(picture < 128)
        self.ink = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)  # the symbol within its quiet zone
        self.picture = picture

    def corners(self, t):
        """The symbol's four corners in the picture, clockwise from its own top left, and its bitmap's homography."""
        x, y, width, turn, yaw, pitch = self.pose(t)
        left, top, right, bottom = self.ink
        scale = width / (right - left)
        middle = np.array([(left + right) / 2, (top + bottom) / 2])
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        cy, sy = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
        cp, sp = math.cos(math.radians(pitch)), math.sin(math.radians(pitch))
        distance = 4 * width  # of the camera, in pixels

        def project(point):
            u, v = (np.array(point) - middle) * scale
            z = u * sy + v * sp
            u, v = u * cy, v * cp
            f = distance / (distance + z)
            return [x + f * (c * u - s * v), y + f * (s * u + c * v)]

        height, wide = self.picture.shape
        paper = [(0, 0), (wide, 0), (wide, height), (0, height)]
        matrix = cv2.getPerspectiveTransform(np.float32(paper), np.float32([project(p) for p in paper]))
        return [project(p) for p in [(left, top), (right, top), (right, bottom), (left, bottom)]], matrix


def hash_of(text):
    return zlib.crc32(text.encode())


class Clip:
    def __init__(self, name, size, labels, seconds=8, noise=4, defocus=lambda t: 0.5, exposures=1, shutter=0.5, seed=1):
        self.name, self.size, self.labels, self.seconds = name, size, labels, seconds
        self.noise, self.defocus, self.exposures, self.seed = noise, defocus, exposures, seed
        self.shutter = shutter  # how long it is open, as a share of the frame's time

    @property
    def frames(self):
        return int(self.seconds * RATE)

    def background(self, random):
        width, height = self.size
        coarse = random.normal(128, 35, (height // 40 + 2, width // 40 + 2)).astype(np.float32)
        picture = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
        picture += cv2.GaussianBlur(random.normal(0, 35, (height, width)).astype(np.float32), (0, 0), 2.5)
        picture = np.clip(picture, 0, 255).astype(np.uint8)
        for row in range(3):
            cv2.putText(picture, 'FRAGILE - THIS SIDE UP 40 kg', (20, height // 4 * (row + 1)), cv2.FONT_HERSHEY_SIMPLEX,
                        0.8, 30, 2, cv2.LINE_AA)
        for _ in range(12):
            x, y = random.integers(0, width), random.integers(0, height)
            w, h = random.integers(30, width // 4), random.integers(30, height // 4)
            cv2.rectangle(picture, (int(x), int(y)), (int(x + w), int(y + h)), int(random.integers(40, 220)), 3)
        return picture.astype(np.float32)

    def render(self, worker, folder, path):
        """Writes the film. The truth: for each frame the visible symbols as (format, text, corners)."""
        random = np.random.default_rng(self.seed)
        for label in self.labels:
            label.draw(worker, folder)
        back = self.background(random)
        width, height = self.size
        encoder = subprocess.Popen(
            ['ffmpeg', '-nostdin', '-loglevel', 'error', '-y', '-f', 'rawvideo', '-pix_fmt', 'gray', '-s',
             f'{width}x{height}', '-r', str(RATE), '-i', '-', '-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset',
             'veryfast', '-crf', '20', '-threads', '2', path], stdin=subprocess.PIPE)
        truth = []
        for number in range(self.frames):
            t = number / RATE
            total = np.zeros((height, width), np.float32)
            for exposure in range(self.exposures):
                frame = back.copy()
                for label in self.labels:
                    self.paint(frame, label, t + self.shutter / RATE * (exposure / max(1, self.exposures - 1) - 0.5)
                               if self.exposures > 1 else t)
                total += frame
            frame = total / self.exposures
            if self.defocus(t) > 0.3:
                frame = cv2.GaussianBlur(frame, (0, 0), self.defocus(t))
            frame = frame + random.normal(0, self.noise, frame.shape).astype(np.float32)
            encoder.stdin.write(np.clip(frame, 0, 255).astype(np.uint8).tobytes())
            visible = []
            for label in self.labels:
                corners, _ = label.corners(t)
                if all(4 <= x < width - 4 and 4 <= y < height - 4 for x, y in corners):
                    visible.append((label.form, label.text, corners))
            truth.append(visible)
        encoder.stdin.close()
        if encoder.wait():
            raise SystemExit('ffmpeg failed')
        return truth

    def paint(self, frame, label, t):
        corners, matrix = label.corners(t)
        height, wide = label.picture.shape
        outline = cv2.perspectiveTransform(np.float32([[(0, 0), (wide, 0), (wide, height), (0, height)]]), matrix)[0]
        left, top = np.floor(outline.min(0)).astype(int) - 1
        right, bottom = np.ceil(outline.max(0)).astype(int) + 1
        left, top = max(left, 0), max(top, 0)
        right, bottom = min(right, frame.shape[1]), min(bottom, frame.shape[0])
        if right <= left or bottom <= top:
            return
        # Three samples a pixel each way, then averaged.
        k, zoom = 3, label.zoom
        bitmap = cv2.resize(label.picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_NEAREST).astype(np.float32)
        to_patch = np.float64([[k, 0, -k * left], [0, k, -k * top], [0, 0, 1]]) @ matrix @ np.diag([1 / zoom, 1 / zoom, 1])
        size = (k * (right - left), k * (bottom - top))
        ink = cv2.warpPerspective(bitmap * 0.82 + 25, to_patch, size, flags=cv2.INTER_LINEAR)
        cover = cv2.warpPerspective(np.ones_like(bitmap), to_patch, size, flags=cv2.INTER_LINEAR)
        ink = cv2.resize(ink, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        cover = cv2.resize(cover, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        part = frame[top:bottom, left:right]
        part[:] = part * (1 - cover) + ink


def around(x, y, width, radius=12, period=4.0, phase=0.0, turn=0.0):
    return lambda t: (x + radius * math.cos(2 * math.pi * t / period + phase),
                      y + radius * math.sin(2 * math.pi * t / period + phase), width, turn, 0, 0)


def sweep(y, width, speed, phase, span=1280, turn=0.0, lift=0):
    """From edge to edge and on again, `speed` pixels a second."""
    def pose(t):
        run = span + 2 * width
        x = (speed * (t + phase)) % run - width
        return x, y + lift * math.sin(2 * math.pi * x / span), width, turn, 0, 0
    return pose


def tumble(x, y, width, turn, tilt, phase):
    return lambda t: (x + 30 * math.sin(t + phase), y + 20 * math.cos(t + phase), width, turn * t + 40 * phase,
                      tilt * math.sin(0.9 * t + phase), tilt * math.cos(1.1 * t + phase))


def zoom(x, y, least, most, period):
    return lambda t: (x, y, least + (most - least) * (0.5 - 0.5 * math.cos(2 * math.pi * t / period)),
                      8 * math.sin(t), 10 * math.sin(0.7 * t), 0)


CLIPS = [
    Clip('three codes, 720p', (1280, 720), [
        Label('qr_code', 'https://glimpse.example/demo', around(300, 240, 170)),
        Label('ean_13', '4006381333931', around(860, 220, 260, phase=1, turn=3)),
        Label('code_128', 'GLIMPSE-0042', around(640, 540, 300, phase=2, turn=-8))], seed=1),
    Clip('small and far, 1080p', (1920, 1080), [
        Label('qr_code', 'https://glimpse.example/far', around(400, 300, 72, radius=30, period=6)),
        Label('qr_code', 'SHELF-17', around(1500, 700, 56, radius=40, period=7, phase=1, turn=5)),
        Label('ean_13', '4006381333931', around(1000, 400, 152, radius=30, period=5, phase=2)),
        Label('code_128', 'BIN-204', around(700, 850, 150, radius=25, period=6, phase=3, turn=-3)),
        Label('qr_code', 'PALLET-9911', around(1300, 200, 64, radius=20, period=4, phase=4, turn=12))], seed=2),
    Clip('fast motion, 720p', (1280, 720), [
        Label('qr_code', 'https://glimpse.example/fast', sweep(180, 160, 420, 0.3, lift=40)),
        Label('ean_13', '4006381333931', sweep(400, 260, 360, 2.1, turn=4)),
        Label('code_128', 'CONVEYOR-7', sweep(600, 280, 540, 1.2))], exposures=5, shutter=0.15, seed=3),
    Clip('turning and tilting, 720p', (1280, 720), [
        Label('qr_code', 'https://glimpse.example/tilt', tumble(280, 220, 190, 40, 50, 0)),
        Label('ean_13', '4006381333931', tumble(860, 230, 280, 25, 45, 1)),
        Label('code_128', 'TUMBLE-31', tumble(640, 520, 300, -30, 40, 2))], seed=4),
    Clip('defocus and noise, 720p', (1280, 720), [
        Label('qr_code', 'https://glimpse.example/blur', around(300, 240, 150)),
        Label('ean_13', '4006381333931', around(860, 230, 250, phase=1)),
        Label('code_128', 'HAZE-5', around(640, 540, 230, phase=2))],
        noise=10, defocus=lambda t: 1.9 - 1.5 * math.cos(2 * math.pi * t / 3), seed=5),
    Clip('near and large, 720p', (1280, 720), [
        Label('qr_code', 'https://glimpse.example/near', zoom(420, 360, 120, 560, 5)),
        Label('ean_13', '4006381333931', zoom(950, 360, 150, 460, 4))], seed=6),
    Clip('other matrix codes, 720p', (1280, 720), [
        Label('data_matrix', 'GLIMPSE-DEMO-0042', around(280, 220, 130, turn=7)),
        Label('aztec', 'glimpse aztec 7', around(640, 240, 140, phase=1, turn=-5)),
        Label('pdf417', 'Glimpse on PDF417', around(800, 540, 330, phase=2, turn=2))], seed=7),
]
