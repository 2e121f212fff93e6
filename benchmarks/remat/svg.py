"""A line chart as SVG, for machines without matplotlib."""
from xml.sax.saxutils import escape

COLORS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf")
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, LEGEND = 760, 420, 60, 30, 45, 170


def ticks(low, high, count=6):
    return [low + (high - low) * i / (count - 1) for i in range(count)]


def chart(curves, title, x_label, y_label):
    """The text of a picture; `curves` maps a name to its points."""
    points = [p for line in curves.values() for p in line]
    if not points:
        points = [(0, 0), (1, 1)]
    x_low, x_high = min(x for x, _ in points), max(x for x, _ in points)
    y_low, y_high = 0, max(max(y for _, y in points), 1e-9)
    right, floor = WIDTH - LEGEND, HEIGHT - BOTTOM

    def place(x, y):
        across = (x - x_low) / ((x_high - x_low) or 1)
        up = (y - y_low) / (y_high - y_low)
        return LEFT + across * (right - LEFT), floor - up * (floor - TOP)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="11">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', f'<text x="{LEFT}" y="18" font-size="13">{escape(title)}</text>']
    for y in ticks(y_low, y_high):
        at = place(x_low, y)[1]
        parts.append(f'<path d="M{LEFT} {at:.1f}H{right}" stroke="#ddd"/><text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{y:.3g}</text>')
    for x in ticks(x_low, x_high):
        at = place(x, y_low)[0]
        parts.append(f'<text x="{at:.1f}" y="{floor + 16}" text-anchor="middle">{x:.2g}</text>')
    parts.append(f'<path d="M{LEFT} {TOP}V{floor}H{right}" stroke="black" fill="none"/>')
    parts.append(f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_label)}</text>')
    parts.append(f'<text transform="translate(14 {(TOP + floor) / 2}) rotate(-90)" text-anchor="middle">{escape(y_label)}</text>')
    for number, (name, line) in enumerate(curves.items()):
        color = COLORS[number % len(COLORS)]
        dash = ("", ' stroke-dasharray="5 3"')[number // len(COLORS) % 2]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*p) for p in sorted(line)))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{2.5 if number == 0 else 1.2}"{dash}/>')
        at = TOP + 10 + 15 * number
        parts.append(f'<path d="M{right + 12} {at}h18" stroke="{color}" stroke-width="2"{dash}/><text x="{right + 35}" y="{at + 4}">{escape(name)}</text>')
    return "\n".join(parts + ["</svg>", ""])
