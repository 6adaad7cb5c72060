#!/usr/bin/env python3
"""Draws a map that lies nowhere on earth: `regions.py MAP.map MAP.order OUT.drawing`.

The provinces become regions whose borders are exactly the map's. What is needed is that the map can be drawn so at all: its borders
make a planar graph in which all faces but the outer one are triangles, so that no more than three provinces meet at a point.
`MAP.order` is written by hand:

    size 2000 1700
    outer TAN ZEU DEI FIE JAS WES ...

the size of the picture, and the provinces at its edge, from the upper right corner counterclockwise. `regions.py MAP.map` names the
rings of provinces that can be this edge; a second one is a place where more than three provinces meet. Each point where three provinces
meet is at first the middle of its neighbors (Tutte); then points are moved at random, better places first, until regions are of
a fair size and shape. Borders get small bends, coasts more than others. Needs Python with networkx.
"""
import math
import random
import re
import sys

import networkx as nx

SWEEPS = 500
# How large a region is, by what it is.
SHARES = {"sea": 1.25, "inland": 0.85, "coast": 0.95, "islands": 1.1}


def read_map(path):
    provinces, here = {}, None
    for line in open(path):
        line = line.split("#")[0].rstrip()
        if found := re.match(r"([A-Z]{3})  (.+?)  (sea|inland|coast|islands)(.*)", line):
            here = found[1]
            provinces[here] = {"name": found[2], "kind": found[3], "center": "center" in found[4], "near": set(), "coasts": {}}
        elif found := re.match(r"  army (.*)", line):
            provinces[here]["near"] |= set(found[1].split())
        elif found := re.match(r"  fleet(?:/(\w\w))? (.*)", line):
            reached = {place[:3] for place in found[2].split()}
            provinces[here]["near"] |= reached
            if found[1]:
                provinces[here]["coasts"][found[1].upper()] = reached
    return provinces


def read_order(path):
    size, outer = None, None
    for line in open(path):
        words = line.split("#")[0].split()
        if words and words[0] == "size":
            size = [int(word) for word in words[1:]]
        elif words and words[0] == "outer":
            outer = words[1:]
    return size, outer


def graph_of(provinces):
    graph = nx.Graph((here, there) for here, info in provinces.items() for there in info["near"])
    planar, embedding = nx.check_planarity(graph)
    if not planar:
        sys.exit("its borders cannot be drawn without crossings")
    return graph, embedding


def rings(provinces):
    """The faces of the graph of borders that are no triangles, the longest first; counterclockwise, or all of them clockwise."""
    _, embedding = graph_of(provinces)
    seen, found = set(), []
    for here, there in embedding.edges():
        if (here, there) not in seen:
            found.append(embedding.traverse_face(here, there, mark_half_edges=seen))
    return sorted((ring for ring in found if len(ring) > 3), key=len, reverse=True)


def area(ring):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1])) / 2


def crosses(a, b, c, d):
    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0


def is_simple(ring):
    edges = list(zip(ring, ring[1:] + ring[:1]))
    for number, (a, b) in enumerate(edges):
        for other in range(number + 2, len(edges)):
            if number == 0 and other == len(edges) - 1:
                continue
            if crosses(a, b, *edges[other]):
                return False
    return True


class Layout:
    """Where regions meet: `points` by number; the first ones lie on the edge of the picture, four of them in its corners."""

    def __init__(self, provinces, size, outer):
        self.provinces, (self.width, self.height), self.outer = provinces, size, outer
        graph, embedding = graph_of(provinces)
        # Clockwise neighbors; mirrored if the outer face then goes the other way.
        ways = [list(embedding.neighbors_cw_order(here)) for here in graph]
        self.around = dict(zip(graph, ways))
        first, second = outer[0], outer[1]
        face = embedding.traverse_face(first, second)
        if sorted(face) != sorted(outer):
            self.around = {here: way[::-1] for here, way in self.around.items()}
        self.make_points()

    def make_points(self):
        outer, count = self.outer, len(self.outer)
        edge_of = {frozenset((outer[i], outer[(i + 1) % count])): i for i in range(count)}
        around, self.points = [2 * (self.width + self.height) * (i + 0.86) / count for i in range(count)], []
        self.points = [self.on_edge(at) for at in around]
        self.along = around
        triangles, self.corners = {}, {}
        for here, near in self.around.items():
            ring = []
            for one, other in zip(near, near[1:] + near[:1]):
                if other in self.provinces[one]["near"] and not (len(near) == 2):
                    key = frozenset((here, one, other))
                else:
                    key = None
                if key is None:
                    # The gap between the first and the last neighbor at the edge of the picture.
                    ring += [edge_of[frozenset((here, one))], edge_of[frozenset((here, other))]]
                else:
                    ring.append(triangles.setdefault(key, count + len(triangles)))
            self.corners[here] = ring
        self.points += [(self.width / 2, self.height / 2)] * len(triangles)
        self.of_point = {}
        for here, ring in self.corners.items():
            for point in ring:
                self.of_point.setdefault(point, []).append(here)
        self.joined = {point: set() for point in range(len(self.points))}
        for ring in self.corners.values():
            for one, other in zip(ring, ring[1:] + ring[:1]):
                if not (one < count and other < count):
                    self.joined[one].add(other)
                    self.joined[other].add(one)
        for _ in range(4000):
            for point in range(count, len(self.points)):
                near = [self.points[other] for other in self.joined[point]]
                self.points[point] = (sum(x for x, _ in near) / len(near), sum(y for _, y in near) / len(near))

    def on_edge(self, at):
        """A place on the edge, from the upper right corner counterclockwise."""
        width, height = self.width, self.height
        at %= 2 * (width + height)
        if at < width:
            return (width - at, 0)
        if at < width + height:
            return (0, at - width)
        if at < 2 * width + height:
            return (at - width - height, height)
        return (width, 2 * (width + height) - at)

    def ring(self, here):
        """The corners of a region, those of the picture among them."""
        ring = [self.points[point] for point in self.corners[here]]
        numbers = self.corners[here]
        done = []
        for number, (one, other) in enumerate(zip(numbers, numbers[1:] + numbers[:1])):
            done.append(ring[number])
            if one < len(self.outer) and other < len(self.outer):
                done += self.picture_corners(one, other)
        return done

    def picture_corners(self, one, other):
        """The corners of the picture between two points of its edge, in the order from one to the other."""
        width, height, whole = self.width, self.height, 2 * (self.width + self.height)
        stops = [0, width, width + height, 2 * width + height, whole]
        a, b = self.along[one] % whole, self.along[other] % whole
        forth = (b - a) % whole < (a - b) % whole
        start, length = (a, (b - a) % whole) if forth else (b, (a - b) % whole)
        found = [(stop - start) % whole for stop in stops[:4] if 0 < (stop - start) % whole < length]
        places = [self.on_edge(start + far) for far in sorted(found)]
        return places if forth else places[::-1]

    def cost(self, here, mean):
        ring = self.ring(here)
        size = area(ring) * self.turn
        if size <= 100 or not is_simple(ring):
            return math.inf
        info = self.provinces[here]
        share = SHARES[info["kind"]] + 0.05 * max(0, len(ring) - 6) + 0.3 * len(info["coasts"])
        wanted = mean * share
        edges = [math.dist(a, b) for a, b in zip(ring, ring[1:] + ring[:1])]
        round_about = sum(edges) ** 2 / (4 * math.pi * size) - 1
        short = sum(max(0, 70 - edge) ** 2 for edge in edges) / 2000
        return 3 * math.log(size / wanted) ** 2 + 2.2 * round_about + short

    def settle(self, numbers):
        total = sum(area(self.ring(here)) for here in self.provinces)
        self.turn = 1 if total > 0 else -1
        mean = self.width * self.height / len(self.provinces)
        count = len(self.outer)
        costs = {here: self.cost(here, mean) for here in self.provinces}
        assert all(cost < math.inf for cost in costs.values()), [here for here in costs if costs[here] == math.inf]
        for sweep in range(SWEEPS):
            far = 120 * (1 - sweep / SWEEPS) ** 1.5 + 4
            for point in range(len(self.points)):
                before, along = self.points[point], None
                if point < count:
                    along = self.along[point]
                    self.along[point] += numbers.uniform(-far, far)
                    self.points[point] = self.on_edge(self.along[point])
                else:
                    x, y = before
                    x, y = x + numbers.uniform(-far, far), y + numbers.uniform(-far, far)
                    self.points[point] = (min(max(x, 8), self.width - 8), min(max(y, 8), self.height - 8))
                cells = self.of_point[point]
                now = {here: self.cost(here, mean) for here in cells}
                if sum(now.values()) < sum(costs[here] for here in cells):
                    costs.update(now)
                else:
                    self.points[point] = before
                    if along is not None:
                        self.along[point] = along
        worst = sorted(costs, key=costs.get)[-5:]
        print("settled:", [(here, round(costs[here], 2), round(area(self.ring(here)) * self.turn)) for here in worst])


def bent(a, b, depth, rough, numbers):
    """A line with bends from a to b, without its first point."""
    far = math.dist(a, b)
    if depth == 0 or far < 22:
        return [b]
    off = numbers.uniform(-rough, rough) * far
    middle = ((a[0] + b[0]) / 2 - (b[1] - a[1]) / far * off, (a[1] + b[1]) / 2 + (b[0] - a[0]) / far * off)
    return bent(a, middle, depth - 1, rough, numbers) + bent(middle, b, depth - 1, rough, numbers)


def borders(layout, numbers):
    """The lines by pair of provinces (or of a province and nothing, for the edge), as whole numbers."""
    sea = {here for here, info in layout.provinces.items() if info["kind"] == "sea"}
    whole = {number: (round(x), round(y)) for number, (x, y) in enumerate(layout.points)}
    lines, segments = {}, []
    for here, ring in layout.corners.items():
        for one, other in zip(ring, ring[1:] + ring[:1]):
            both = set(layout.of_point[one]) & set(layout.of_point[other])
            if len(both) == 1 or (one < len(layout.outer) and other < len(layout.outer)):
                corners = [tuple(map(round, at)) for at in layout.picture_corners(one, other)]
                lines[here, None] = [whole[one], *corners, whole[other]]
            elif (pair := tuple(sorted(both))) not in lines and len(both) == 2:
                lines[pair] = (whole[one], whole[other])
    straight = [(line[0], line[-1]) for (_, there), line in lines.items() if there]
    for pair, line in sorted(lines.items(), key=str):
        if pair[1] is None:
            continue
        a, b = line
        mixed = len(sea & set(pair)) == 1
        for rough in [0.16 if mixed else 0.07] * 12 + [0.1] * 6 + [0.05] * 6 + [0.02] * 6 + [0.0]:
            made = [a] + [tuple(map(round, at)) for at in bent(a, b, 5 if mixed else 3, rough, numbers)]
            made = [at for number, at in enumerate(made) if number == 0 or at != made[number - 1]]
            new = list(zip(made, made[1:]))
            inside = all(0 < x < layout.width and 0 < y < layout.height for x, y in made[1:-1])
            own = is_simple_line(made)
            free = not any(touches(piece, other) for piece in new for other in segments + straight if other not in ((a, b), (b, a)))
            if rough == 0.0 or (inside and own and free):
                lines[pair] = made
                segments += new
                break
    return lines


def is_simple_line(line):
    pieces = list(zip(line, line[1:]))
    return not any(crosses(*one, *other) for number, one in enumerate(pieces) for other in pieces[number + 2 :])


def touches(one, other):
    if set(one) & set(other):
        # At a common end the other ends must lie apart.
        return False
    return crosses(*one, *other)


def side_of(layout, here, there):
    """How a border names a province: by its coast, at a sea that only one coast has."""
    coasts = layout.provinces[here]["coasts"]
    if there and coasts and layout.provinces[there]["kind"] == "sea":
        own = [coast for coast, reached in coasts.items() if there in reached]
        assert len(own) == 1, (here, there, own)
        return f"{here}/{own[0]}"
    return here


# Places ------------------------------------------------------------------------------------------------------------------


def outline(layout, lines, here):
    """The whole outline of a region."""
    ring = []
    for one, other in zip(layout.corners[here], layout.corners[here][1:] + layout.corners[here][:1]):
        a, b = (tuple(map(round, layout.points[number])) for number in (one, other))
        own = [line for pair, line in lines.items() if here in pair and {line[0], line[-1]} == {a, b}]
        line = own[0] if own[0][0] == a else own[0][::-1]
        ring += line[:-1]
    return ring


def contains(ring, at):
    inside = False
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1]):
        if (ay > at[1]) != (by > at[1]) and at[0] < (bx - ax) * (at[1] - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def far_from(ring, at):
    def to(a, b):
        dx, dy = b[0] - a[0], b[1] - a[1]
        t = ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / max(dx * dx + dy * dy, 1)
        t = min(1, max(0, t))
        return math.dist(at, (a[0] + t * dx, a[1] + t * dy))

    return min(to(a, b) for a, b in zip(ring, ring[1:] + ring[:1]))


HEIGHTS = {"large": 34, "medium": 27, "small": 22}


def written(name):
    """A name in one, two or three lines, the shortest first."""
    words = name.split(" ")
    ways = [name]
    ways += [" ".join(words[:cut]) + "|" + " ".join(words[cut:]) for cut in range(1, len(words))]
    ways += [
        "|".join([" ".join(words[:a]), " ".join(words[a:b]), " ".join(words[b:])])
        for a in range(1, len(words))
        for b in range(a + 1, len(words))
    ]
    return ways


def covered(ring, middle, width, height):
    """The share of an area that lies in a region."""
    x, y = middle
    points = [(x + width * i / 10, y + height * j / 6) for i in range(-5, 6) for j in range(-3, 4)]
    return sum(contains(ring, at) for at in points) / len(points)


def place(layout, lines, here):
    info, ring = layout.provinces[here], outline(layout, lines, here)
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    spots = [(x, y) for x in range(min(xs), max(xs), 8) for y in range(min(ys), max(ys), 8) if contains(ring, (x, y))]
    spots.sort(key=lambda at: -far_from(ring, at))
    best = None
    whole = [(size, name) for size in HEIGHTS for name in written(info["name"])]
    for size, name in whole + [(size, here.title()) for size in HEIGHTS]:
        rows = name.split("|")
        height = HEIGHTS[size]
        wide, high = max(map(len, rows)) * height * 0.6, len(rows) * height * 1.1
        up = 16 + high / 2 + 5
        for at in spots[:60]:
            # The block of name, unit and dislodged unit hangs a little below its middle.
            unit = (at[0] - (12 if info["center"] else 0), at[1] + round(high / 2) - 10)
            label = (at[0], round(unit[1] - up))
            lower = (unit[0], unit[1] + 37)
            areas = [(label, wide + 14, high + 8), (unit, 46, 34), (lower, 46, 34)]
            if info["center"]:
                areas.append(((unit[0] + 35, unit[1]), 20, 20))
            shares = [covered(ring, *one) for one in areas]
            if min(shares) > 0.97:
                return size, name, label, unit, lower, (unit[0] + 35, unit[1]) if info["center"] else None, ring
            if best is None or sum(shares) > best[0]:
                best = (sum(shares), (size, name, label, unit, lower, (unit[0] + 35, unit[1]) if info["center"] else None, ring))
    print("too small:", here, round(best[0], 2))
    return best[1]


def coast_places(layout, lines, here, taken):
    """A fleet's place near the middle of each coast."""
    found = {}
    for coast, reached in layout.provinces[here]["coasts"].items():
        ring = outline(layout, lines, here)
        shore = [at for pair, line in lines.items() if here in pair for at in line if side_of(layout, here, *(set(pair) - {here})) == f"{here}/{coast}"]
        xs, ys = [x for x, _ in ring], [y for _, y in ring]
        spots = [(x, y) for x in range(min(xs), max(xs), 4) for y in range(min(ys), max(ys), 4)]
        spots = [at for at in spots if covered(ring, at, 46, 34) > 0.97]
        apart = [at for at in spots if all(abs(at[0] - x) > (46 + w) / 2 or abs(at[1] - y) > (34 + h) / 2 for (x, y), w, h in taken)]
        middle = (sum(x for x, _ in shore) / len(shore), sum(y for _, y in shore) / len(shore))
        at = min(apart, key=lambda spot: math.dist(spot, middle))
        taken.append((at, 46, 34))
        found[coast] = at
    return found


def drawing(layout, numbers, source):
    lines = borders(layout, numbers)
    print("borders:", sum(1 for pair in lines if pair[1]), "of", sum(len(info["near"]) for info in layout.provinces.values()) // 2)
    text = [
        f"# Drawn by regions.py from {source}. README.md beside this file tells the notation.",
        "#",
        "# The world of this map is invented: its regions are made of its borders alone.",
        "",
        f"size {layout.width} {layout.height}",
        "",
    ]
    for here, info in sorted(layout.provinces.items()):
        size, name, label, unit, lower, center, _ = place(layout, lines, here)
        rows = name.split("|")
        wide, high = max(map(len, rows)) * HEIGHTS[size] * 0.6, len(rows) * HEIGHTS[size] * 1.1
        taken = [(label, wide + 4, high + 4), (unit, 46, 34), (lower, 46, 34)] + ([(center, 22, 22)] if center else [])
        line = f"place {here}  unit {unit[0]},{unit[1]}"
        for coast, at in coast_places(layout, lines, here, taken).items():
            line += f"  unit/{coast.lower()} {at[0]},{at[1]}"
        line += f"  dislodged {lower[0]},{lower[1]}"
        if center:
            line += f"  center {center[0]},{center[1]}"
        text.append(f"{line}  name {label[0]},{label[1]} {size} {name}")
    text.append("")
    for (here, there), line in sorted(lines.items(), key=str):
        one = side_of(layout, here, there)
        other = side_of(layout, there, here) if there else "edge"
        text.append(f"border {one} {other}  " + " ".join(f"{x},{y}" for x, y in line))
    return "\n".join(text) + "\n"


def main(map_path, order_path=None, out=None):
    provinces = read_map(map_path)
    if order_path is None:
        for ring in rings(provinces):
            print(len(ring), *ring)
        return
    size, outer = read_order(order_path)
    numbers = random.Random(1)
    layout = Layout(provinces, size, outer)
    layout.settle(numbers)
    text = drawing(layout, numbers, order_path.rsplit("/", 1)[-1])
    open(out, "w").write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
