#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The barcode corpus, in four rotations, read by `glimpsed detect --barcode` and by zxing-cpp: a Markdown table.

  barcodes.py CORPUS [--glimpsed .build/release/glimpsed] [--write docs/performance/barcodes.md] [--details]

CORPUS has a folder for each set of images. A file .txt or .bin beside an image has the expected text. Both readers get
equal pictures and are compared in one way. A match is an image whose expected text was read, and every other read is
counted too. The package zxing-cpp reads with its defaults, which are its hardest settings, with and without add-ons.
The script makes an environment for zxing-cpp on its first run. Run it in the project's folder.
"""
import argparse, base64, json, os, re, subprocess, sys

import environment

HERE = os.path.dirname(os.path.abspath(__file__))
SCRATCH = os.path.join(HERE, '.build', 'barcodes')
PACKAGES = ['zxing-cpp==3.1.1', 'numpy', 'pillow']
ROTATIONS = [0, 90, 180, 270]
RETAIL = {'ean_8', 'ean_13', 'upc_a', 'upc_e'}


def plain(text):
    return re.sub('[ ()\n\r\x1d]', '', text)


def expanded(digits):
    """The UPC-A number of UPC-E's eight digits (GS1 General Specifications: zero suppression), or nothing."""
    if not re.fullmatch('[0-9]{8}', digits):
        return []
    n, body, last, check = digits[0], digits[1:6], digits[6], digits[7]
    if last in '012':
        body = body[:2] + last + '0000' + body[2:]
    elif last == '3':
        body = body[:3] + '00000' + body[3:]
    elif last == '4':
        body = body[:4] + '00000' + body[4:]
    else:
        body = body + '0000' + last
    return [n + body + check]


class Read:
    """A symbol as a reader reported it. `texts` are the ways in which the reader can write its text."""

    def __init__(self, format, texts, data):
        self.format, self.texts, self.data = format, texts, data

    def readings(self):
        for text in self.texts:
            if self.format in RETAIL:
                # With and without the add-on; UPC-A with a leading zero, UPC-E as the number that it stands for.
                for form in (plain(text), plain(text.split(' ')[0])):
                    for number in [form, *expanded(form)]:
                        yield from (number, '0' + number)
            elif self.format == 'codabar':
                yield plain(text)
                yield from (a + plain(text) + b for a in 'ABCD' for b in 'ABCD')
            else:
                yield plain(text)


class Picture:
    def __init__(self, folder, path):
        self.folder, self.path = folder, path
        base = os.path.splitext(path)[0]
        self.text = self.data = None
        if os.path.exists(base + '.txt'):
            with open(base + '.txt', encoding='utf-8', newline='') as file:
                self.text = plain(file.read())
        elif os.path.exists(base + '.bin'):
            with open(base + '.bin', 'rb') as file:
                self.data = file.read()

    def is_met(self, read):
        if self.data is not None:
            return read.data == self.data
        return self.text in read.readings()

    def judge(self, reads):
        """Returns whether the symbol was read, and the other reads."""
        if self.text is None and self.data is None:
            # A picture with several symbols, or without a symbol, has no expected text.
            return self.folder.startswith('multi') and bool(reads), \
                reads if self.folder.startswith('falsepositives') else []
        return any(map(self.is_met, reads)), [read for read in reads if not self.is_met(read)]


def pictures(corpus):
    for folder in sorted(os.listdir(corpus)):
        if os.path.isdir(os.path.join(corpus, folder)):
            for name in sorted(os.listdir(os.path.join(corpus, folder))):
                if name.rsplit('.', 1)[-1] in ('png', 'jpg', 'webp'):
                    yield Picture(folder, os.path.join(corpus, folder, name))


def turned(picture, degrees):
    """Returns the picture turned clockwise, with white for transparent pixels."""
    from PIL import Image
    image = Image.open(picture.path).convert('RGBA')
    paper = Image.new('RGBA', image.size, (255, 255, 255, 255))
    paper.alpha_composite(image)
    return paper.convert('RGB').rotate(-degrees, expand=True)


def read_by_zxing(files):
    import zxingcpp
    from PIL import Image
    add_ons = zxingcpp.EanAddOnSymbol.Read
    for file in files:
        image = Image.open(file)
        symbols = [zxingcpp.read_barcodes(image, text_mode=mode) for mode in (zxingcpp.TextMode.Plain, zxingcpp.TextMode.HRI)]
        # Reading add-ons loses some symbols, so the reads of both ways count.
        whole = {symbol.text for symbol in zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.EANUPC, ean_add_on_symbol=add_ons)}
        yield [Read(re.sub('[^a-z0-9]', '_', str(plain.format).lower()),
                    {plain.text, human.text} | {text for text in whole if text.startswith(plain.text)}, plain.bytes)
               for plain, human in zip(*symbols)]


def read_by_glimpsed(program, files):
    result = subprocess.run([program, 'detect', '--barcode', '-'], input='\n'.join(files) + '\n', text=True, stdout=subprocess.PIPE)
    lines = result.stdout.splitlines()
    if len(lines) != len(files):
        sys.exit(f'{program} answered for {len(lines)} of {len(files)} pictures, and ended with {result.returncode}')
    yield from reads_of(lines)


def reads_of(lines):
    """Yields the reads of each line of `glimpsed detect`."""
    for line in lines:
        codes = [feature['barcode'] for feature in json.loads(line)['features'] if 'barcode' in feature]
        data = [base64.b64decode(code['raw_base64']) for code in codes]
        texts = [code.get('raw') or bytes.decode('utf-8', 'replace') for code, bytes in zip(codes, data)]
        yield [Read(code['format'], {text, f"{text} {code.get('add_on', '')}"}, bytes) for code, text, bytes in zip(codes, texts, data)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('--glimpsed', default='.build/release/glimpsed')
    parser.add_argument('--write', metavar='FILE', help='put the table between the marks of "barcode rotations" of this file')
    parser.add_argument('--details', action='store_true', help='print missing and false reads on standard error')
    options = parser.parse_args()
    environment.continue_in(SCRATCH, PACKAGES)

    readers = {'glimpsed': lambda files: read_by_glimpsed(options.glimpsed, files), 'zxing-cpp': read_by_zxing}
    everything = list(pictures(options.corpus))
    # (folder, reader, rotation) to matches, (folder, reader) to other reads; the empty folder is the sum.
    matches, others, images = {}, {}, {}
    for picture in everything:
        for folder in ('', picture.folder):
            images[folder] = images.get(folder, 0) + 1
    for degrees in ROTATIONS:
        files = []
        for number, picture in enumerate(everything):
            files.append(os.path.join(SCRATCH, f'{number}-{degrees}.png'))
            turned(picture, degrees).save(files[-1], compress_level=1)
        for reader, read in readers.items():
            for picture, reads in zip(everything, read(files)):
                met, rest = picture.judge(reads)
                for folder in ('', picture.folder):
                    key = (folder, reader, degrees)
                    matches[key] = matches.get(key, 0) + met
                    others[folder, reader] = others.get((folder, reader), 0) + len(rest)
                if options.details and (rest or not met):
                    print(reader, degrees, picture.path, 'read' if met else 'NOT READ', [(r.format, r.texts) for r in rest], file=sys.stderr)
        for file in files:
            os.remove(file)

    lines = ['| folder | images | ' + ' | '.join(f'{reader} {d}°' for reader in readers for d in ROTATIONS)
             + ' | ' + ' | '.join(f'other reads, {reader}' for reader in readers) + ' |']
    lines.append('|---' * (lines[0].count('|') - 1) + '|')
    for folder in [*sorted(filter(None, images)), '']:
        cells = [folder or '**all**', images[folder]]
        cells += [matches[folder, reader, d] for reader in readers for d in ROTATIONS]
        cells += [others[folder, reader] for reader in readers]
        lines.append('| ' + ' | '.join(map(str, cells)) + ' |')
    table = '\n'.join(lines)
    if options.write:
        with open(options.write, encoding='utf-8') as file:
            text = file.read()
        start, end = '<!-- barcode rotations -->\n', '<!-- end barcode rotations -->'
        if start not in text or end not in text:
            sys.exit(f'{options.write} has no block "barcode rotations"')
        head, rest = text.split(start, 1)
        with open(options.write, 'w', encoding='utf-8') as file:
            file.write(head + start + table + '\n' + end + rest.split(end, 1)[1])
    else:
        print(table)


if __name__ == '__main__':
    main()
