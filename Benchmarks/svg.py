# SPDX-License-Identifier: Apache-2.0
"""Bars and lines as SVG. A drawing is (height, elements); colours are names that `document` replaces by a theme's.

Glimpse is drawn in the accent colour; all others in quieter ones. Each value or line has its label beside it, so that
no legend has to be matched by colour alone.
"""
import collections, math
from xml.sax.saxutils import escape

Bar = collections.namedtuple('Bar', 'name value least most', defaults=(None, None))
Line = collections.namedtuple('Line', 'name values')

WIDTH, LEFT, RIGHT = 760, 200, 150
OTHERS = ['orange', 'teal', 'purple', 'brown', 'grey', 'pink']
THEMES = {
    'light': {'page': '#ffffff', 'ink': '#1f2328', 'quiet': '#59636e', 'grid': '#d8dee4', 'accent': '#0969da',
              'orange': '#bc4c00', 'teal': '#1a7f74', 'purple': '#8250df', 'brown': '#7d5a1e', 'grey': '#818b98',
              'pink': '#bf3989'},
    'dark': {'page': '#0d1117', 'ink': '#f0f6fc', 'quiet': '#9198a1', 'grid': '#30363d', 'accent': '#4493f8',
             'orange': '#f0883e', 'teal': '#3fb8a8', 'purple': '#ab7df8', 'brown': '#c9a26b', 'grey': '#8b949e',
             'pink': '#f778ba'}}


def document(drawing, theme):
    height, elements = drawing
    body = '\n'.join(elements)
    for name, colour in THEMES[theme].items():
        body = body.replace(f'"{name}"', f'"{colour}"')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            f'font-family="system-ui, sans-serif" font-size="13">\n<rect width="{WIDTH}" height="{height}" '
            f'fill="{THEMES[theme]["page"]}"/>\n{body}\n</svg>\n')


def stacked(drawings):
    top, elements = 0, []
    for height, own in drawings:
        elements.append(f'<g transform="translate(0 {top})">\n' + '\n'.join(own) + '\n</g>')
        top += height
    return top, elements


def words(x, y, text, colour='ink', anchor='start', weight=400):
    return (f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}" font-weight="{weight}">'
            f'{escape(text)}</text>')


def stroke(x1, y1, x2, y2, colour, width=1):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def colours(names):
    """The accent for Glimpse, the others' colours in their order."""
    others = iter(OTHERS)
    return {name: 'accent' if name.lower().startswith('glimpse') else next(others)
            for name in names}


def bars(title, groups, names, text, room=60):
    """Horizontal bars. `groups`: (name, bars of one group); `text` makes a value's label; `room`: its width."""
    colour, thick = colours(names), 14 if len(names) > 1 else 18
    most = max(bar.most or bar.value for _, group in groups for bar in group)
    scale = (WIDTH - LEFT - room - 10) / most
    elements, y = [words(16, 26, title, weight=600)], 44
    if len(names) > 1:
        x = 16
        for name in names:
            elements += [f'<rect x="{x}" y="{y - 4}" width="11" height="11" rx="2" fill="{colour[name]}"/>',
                         words(x + 17, y + 6, name, 'quiet')]
            x += 40 + 7.2 * len(name)
        y += 22
    for name, group in groups:
        middle = y + thick * len(group) / 2 + 4.5
        # Words after a semicolon stand below, and quieter.
        first, _, second = name.partition('; ')
        elements.append(words(LEFT - 12, middle - (7 if second else 0), first, anchor='end'))
        if second:
            elements.append(words(LEFT - 12, middle + 9, second, 'quiet', 'end'))
        for bar in group:
            fill = colour.get(bar.name, 'accent')
            length = bar.value * scale
            elements.append(
                f'<rect x="{LEFT}" y="{y + 1:.1f}" width="{max(length, 1):.1f}" height="{thick - 2}" rx="2" fill="{fill}"/>')
            end = length
            if bar.most is not None:
                end, centre = bar.most * scale, y + thick / 2
                elements += [stroke(LEFT + bar.least * scale, centre, LEFT + end, centre, 'ink', 1.5),
                             *(stroke(LEFT + at * scale, centre - 4, LEFT + at * scale, centre + 4, 'ink', 1.5)
                               for at in (bar.least, bar.most))]
            elements.append(words(LEFT + end + 7, y + thick / 2 + 4.5, text(bar.value),
                                  'ink' if fill == 'accent' else 'quiet'))
            y += thick
        y += 10
    return y + 8, elements


def cells(title, heads, rows):
    """A table of percentages, each on a field as strong as its value. `rows`: (name, percentages)."""
    elements, wide, y = [words(16, 26, title, weight=600)], (WIDTH - LEFT - 20) / len(heads), 44
    for index, head in enumerate(heads):
        elements.append(words(LEFT + (index + 0.5) * wide, y + 10, head, 'quiet', 'middle'))
    for name, values in rows:
        y += 26
        elements.append(words(LEFT - 12, y + 8, name, anchor='end'))
        for index, value in enumerate(values):
            elements += [f'<rect x="{LEFT + index * wide + 2:.1f}" y="{y - 9}" width="{wide - 4:.1f}" height="24" rx="3" '
                         f'fill="accent" fill-opacity="{0.06 + 0.54 * value / 100:.2f}"/>',
                         words(LEFT + (index + 0.5) * wide, y + 8, f'{value:.0f}', anchor='middle')]
    return y + 32, elements


def lines(title, positions, series, low, high, ticks, logarithmic=False, logarithmic_x=None, height=330):
    """Lines with their names at the right end. `positions`: the values of the x axis."""
    colour = colours([line.name for line in series])
    left, top, right, bottom = 62, 48, WIDTH - RIGHT - 40, height - 40
    even = logarithmic if logarithmic_x is None else logarithmic_x

    def across(index):
        place = [math.log(value) for value in positions] if even else positions
        return left + (place[index] - place[0]) / (place[-1] - place[0]) * (right - left)

    def up(value):
        shape = math.log if logarithmic else float
        return bottom - (shape(value) - shape(low)) / (shape(high) - shape(low)) * (bottom - top)

    elements = [words(16, 26, title, weight=600)]
    for tick in ticks:
        elements += [stroke(left, up(tick), right, up(tick), 'grid'),
                     words(left - 8, up(tick) + 4.5, f'{tick:,}', 'quiet', 'end')]
    for index, value in enumerate(positions):
        elements.append(words(across(index), bottom + 20, f'{value:,}', 'quiet', 'middle'))
    # Names are pushed apart where lines end close to one another.
    ends, last = {}, -math.inf
    for line in sorted(series, key=lambda line: up(line.values[-1])):
        ends[line.name] = last = max(up(line.values[-1]), last + 16)
    for line in sorted(series, key=lambda line: colour[line.name] == 'accent'):
        points = [(across(index), up(value)) for index, value in enumerate(line.values)]
        own = colour[line.name]
        path = ' '.join(f'{x:.1f},{y:.1f}' for x, y in points)
        elements.append(f'<polyline points="{path}" fill="none" stroke="{own}" '
                        f'stroke-width="{3 if own == "accent" else 1.7}" stroke-linejoin="round"/>')
        elements += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{4 if own == "accent" else 3}" fill="{own}"/>'
                     for x, y in points]
        elements.append(words(right + 12, ends[line.name] + 4.5, line.name, own,
                              weight=600 if own == 'accent' else 400))
    return height, elements
