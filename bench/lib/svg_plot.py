# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Growth curves as an SVG picture: a panel per subject, seconds on a logarithmic axis. Shared by the benchmarks."""
import dataclasses
import math
import xml.sax.saxutils

PANEL_WIDTH, PANEL_HEIGHT = 260, 190
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 26, 34  # margins inside a panel
COLUMNS = 3
HEADER, LEGEND_STEP = 34, 130


@dataclasses.dataclass
class Point:
    x: float
    y: float
    decided: bool = True  # a hollow mark otherwise: the run ended without an answer


@dataclasses.dataclass(frozen=True)
class Style:
    label: str
    colour: str
    dashed: bool = False


def text(x, y, content, anchor="start", size=10, extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"{extra}>'
            f"{xml.sax.saxutils.escape(str(content))}</text>")


def line(x1, y1, x2, y2, colour, extra=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{extra}/>'


def dash(style):
    return ' stroke-dasharray="4 3"' if style.dashed else ""


def curve(points, style, place):
    """One line with its marks; `place` maps a point to the picture."""
    ordered = sorted(points, key=lambda point: point.x)
    parts = []
    if len(ordered) > 1:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, ordered))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{style.colour}"{dash(style)}/>')
    for point in ordered:
        x, y = place(point)
        fill = style.colour if point.decided else "white"
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{fill}" stroke="{style.colour}"/>')
    return parts


def panel(title, series, x_label, decades):
    """A panel at the origin. `decades` are the exponents of ten between which the vertical axis lies."""
    low, high = decades
    xs = sorted({point.x for points in series.values() for point in points})
    span = max(xs[-1] - xs[0], 1)
    width, height = PANEL_WIDTH - LEFT - RIGHT, PANEL_HEIGHT - TOP - BOTTOM

    def place(point):
        share = (math.log10(max(point.y, 10.0**low)) - low) / (high - low)
        return LEFT + 8 + (width - 16) * (point.x - xs[0]) / span, TOP + height * (1 - share)

    parts = [text(LEFT, 16, title, size=12, extra=' font-weight="bold"'),
             f'<rect x="{LEFT}" y="{TOP}" width="{width}" height="{height}" fill="none" stroke="#999"/>']
    for exponent in range(low, high + 1):
        y = TOP + height * (high - exponent) / (high - low)
        parts += [line(LEFT, y, LEFT + width, y, "#ddd"), text(LEFT - 4, y + 3, f"{10.0**exponent:g}", "end")]
    for x in xs:
        parts.append(text(place(Point(x, 1))[0], TOP + height + 13, f"{x:g}", "middle"))
    parts.append(text(LEFT + width / 2, TOP + height + 27, x_label, "middle"))
    for style, points in series.items():
        parts += curve(points, style, place)
    return parts


def growth(title, x_label, panels):
    """The picture as text. `panels`: name -> {Style: [Point]}, each with at least one point; y is in seconds."""
    seconds = [point.y for series in panels.values() for points in series.values() for point in points]
    low = math.floor(math.log10(max(min(seconds, default=0.1), 0.01)))
    high = max(math.ceil(math.log10(max(seconds, default=1.0))), low + 1)
    styles = list(dict.fromkeys(style for series in panels.values() for style in series))
    columns = min(COLUMNS, max(1, len(panels)))
    legend_columns = max(1, columns * PANEL_WIDTH // LEGEND_STEP)
    header = HEADER + 16 * math.ceil(len(styles) / legend_columns)
    width, height = columns * PANEL_WIDTH, header + math.ceil(len(panels) / columns) * PANEL_HEIGHT
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">',
             f'<rect width="{width}" height="{height}" fill="white"/>', text(LEFT, 20, title, size=14)]
    for index, style in enumerate(styles):
        x, y = LEFT + index % legend_columns * LEGEND_STEP, HEADER + 4 + index // legend_columns * 16
        parts += [line(x, y, x + 24, y, style.colour, dash(style)), text(x + 30, y + 4, style.label)]
    for index, (name, series) in enumerate(panels.items()):
        x, y = index % columns * PANEL_WIDTH, header + index // columns * PANEL_HEIGHT
        parts += [f'<g transform="translate({x},{y})">', *panel(name, series, x_label, (low, high)), "</g>"]
    return "\n".join([*parts, "</svg>", ""])
