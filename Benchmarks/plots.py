#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/performance/plots/*.svg from the tables of docs/performance/*.md, each for light and for dark pages.

  Benchmarks/plots.py            draws all of them (`make plots`)
  Benchmarks/plots.py --check    fails where a plot differs from its table (`make lint`)

The tables are the only source of figures. A changed table changes the plot.
"""
import os, re, sys

import svg

PAGES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'docs/performance')
PLOTS = os.path.join(PAGES, 'plots')


def table(page, heading):
    """The rows of the table whose heading row begins with these cells."""
    with open(os.path.join(PAGES, page), encoding='utf-8') as file:
        lines = file.read().split('\n')
    begin = next((number for number, line in enumerate(lines) if line.startswith(heading)), None)
    if begin is None:
        sys.exit(f'{page} has no table that begins with {heading}')
    rows = []
    for line in lines[begin + 2:]:
        if not line.startswith('|'):
            return rows
        rows.append([cell.strip().replace('`', '') for cell in line.strip('|').split(' | ')])
    return rows


def camera():
    rows = table('camera.md', '| detectors | CPU ms a frame, least')
    bars = [svg.Bar(name, float(median), float(least), float(most)) for name, least, median, most in rows]
    return svg.bars(
        'CPU of a whole worker, ms a frame of 1280x720', [(bar.name, [bar]) for bar in bars], ['glimpsed'],
        lambda value: f'{value:.1f} ms; {value * 3:.0f} % of a core at 30 frames/s', room=268)


def beside():
    rows = table('camera.md', '| detectors | frames | bare C++ loop')
    return svg.bars(
        'CPU beside a C++ loop over the same decoder and network, ms a frame',
        [(row[0], [svg.Bar('glimpsed', float(row[3])), svg.Bar('bare C++ loop', float(row[2]))]) for row in rows],
        ['glimpsed', 'bare C++ loop'], lambda value: f'{value:.2f}')


def networks():
    rows = [row for row in table('networks.md', '| model | frame | network input') if row[1] == '1280x720']
    return svg.bars(
        'CPU of a network on a frame of 1280x720, planes in and boxes out, ms on one thread',
        [(f'{row[0]}, {row[2]}', [svg.Bar('glimpsed', float(row[5]))]) for row in rows], ['glimpsed'],
        lambda value: f'{value:.2f}')


def barcodes():
    rows = table('barcodes.md', '| clip | seen % |')
    names = ['glimpsed', 'zxing-cpp', 'zbar']

    def panel(title, columns, text):
        groups = [(row[0], [svg.Bar(name, float(row[column])) for name, column in zip(names, columns)]) for row in rows]
        return svg.bars(title, groups, names, text)

    return svg.stacked([
        panel('Frames in which a visible symbol is read, %', (1, 6, 7), lambda value: f'{value:.1f}'),
        panel('CPU, ms a frame', (9, 11, 12), lambda value: f'{value:.1f}')])


def faces():
    rows = table('faces.md', '| model | mode | `min_size` | pictures')
    heads = [f'{width} px' for width in (12, 16, 20, 24, 32, 48, 60)]
    chosen = [row for row in rows if row[0] in ('yunet_n', 'cascade') and row[1] == 'accurate']
    return svg.cells(
        'Faces found by their width in a picture of 1280x720, %, mode "accurate"', heads,
        [(f'{row[0]}, min_size {row[2]}', [float(cell) for cell in row[6:13]]) for row in chosen])


def delivery():
    heads = '| subscribers, events at a time | bare | hop | glimpsed | short | redis | mosquitto | nats |'
    rows = [row for row in table('delivery.md', heads) if row[0].endswith(', 1')]
    subscribers = [int(row[0].split(',')[0]) for row in rows]
    columns = {'glimpsed': 3, 'bare C loop': 1, 'redis': 5, 'mosquitto': 6, 'nats': 7}

    def cpu(cell):
        return float(re.match(r'[\d.]+', cell)[0])

    def latest(cell):
        return float(re.search(r'/([\d.]+)', cell)[1]) / 1000

    def panel(title, figure, ticks):
        lines = [svg.Line(name, [figure(row[column]) for row in rows]) for name, column in columns.items()]
        return svg.lines(title, subscribers, lines, low=ticks[0], high=ticks[-1], ticks=ticks, logarithmic=True)

    return svg.stacked([
        panel('CPU seconds for a million deliveries, by subscribers (one event at a time)', cpu, [2, 5, 10, 20, 50, 100]),
        panel('Latency, 99th percentile, milliseconds, by subscribers', latest, [0.02, 0.1, 1, 10, 100, 1000])])


def tracking():
    rows = [row for row in table('tracking.md', '| every | tracker |') if row[1] != 'Glimpse erratic']
    names = [row[1] for row in rows if row[0] == '1']
    figures = {(row[1], row[0]): float(row[2]) for row in rows}
    lines = [svg.Line(name, [figures[name, every] for every in '125']) for name in names]
    return svg.lines(
        'HOTA on MOT17 by frame rate: every frame, every second, every fifth', [1, 2, 5], lines,
        low=40, high=62, ticks=[40, 45, 50, 55, 60], logarithmic_x=True)


def main():
    check = sys.argv[1:] == ['--check']
    os.makedirs(PLOTS, exist_ok=True)
    differing, expected = [], set()
    for draw in (camera, beside, networks, barcodes, faces, delivery, tracking):
        for theme in ('light', 'dark'):
            name = f'{draw.__name__}-{theme}.svg'
            expected.add(name)
            path, drawing = os.path.join(PLOTS, name), svg.document(draw(), theme)
            if check:
                if not os.path.exists(path) or open(path, encoding='utf-8').read() != drawing:
                    differing.append(f'docs/performance/plots/{name} differs from its table: run make plots')
            else:
                with open(path, 'w', encoding='utf-8') as file:
                    file.write(drawing)
    differing += [f'docs/performance/plots/{name} has no table' for name in sorted(set(os.listdir(PLOTS)) - expected)]
    if differing:
        sys.exit('\n'.join(differing))


if __name__ == '__main__':
    main()
