#!/usr/bin/env python3
"""Lines for `dipjudge adjudicate` from games played at random by the filter itself, to compare two builds of it.

    random_games.py BINARY VARIANT COUNT [KIND]

prints COUNT lines of all phases that such games meet, or of one kind: M, R or A. VARIANT is a variant's name, `modern` for the
standard game on that map, or `settings` for games with settings. The same arguments give the same lines, as long as the answers are
the same.
"""

import json
import random
import re
import subprocess
import sys
from pathlib import Path

GAMES = 400
MAPS = Path(__file__).parent / "../src/rules/map"
# Lines of a variant's own.
OWN_LINES = {
    "bridge": ["BID {number}", "FORTIFY {place}"],
    "life": ["BIRTH {place} F"],
    "outer-space": ["{unit} - ORB"],
    "rather-silly": ["DISTRACT {place}", "MAGNET {place}", "TWIN {unit}", "PASS"],
}
SETTINGS = [{}, {"proxy": True}, {"any_disband": True}, {"centers": 20}, {"build_sites": "any"}, {"auto_disband": True}]


class Map:
    """What of a map file is needed to write orders that are mostly legal."""

    def __init__(self, name):
        self.army, self.fleet, self.centers, self.powers = {}, {}, [], []
        here = None
        for line in (MAPS / f"{name}.map").read_text().splitlines():
            line = line.split("#")[0].rstrip()
            if found := re.match(r"power (\w+)", line):
                self.powers.append(found[1].upper())
            elif found := re.match(r"(\w{3})  .+?  (?:sea|inland|coast|islands)(.*)", line):
                here = found[1]
                self.army.setdefault(here, [])
                if "center" in found[2]:
                    self.centers.append(here)
            elif found := re.match(r"  army (.*)", line):
                self.army[here] = found[1].split()
            elif found := re.match(r"  fleet(/\w\w)? (.*)", line):
                self.fleet[here + (found[1] or "").upper()] = found[2].split()

    def stations(self, province):
        return [at for at in self.fleet if at.split("/")[0] == province]

    def reach(self, unit):
        kind, at = unit.lstrip("*").split(" ", 1)
        return self.fleet.get(at, []) if kind == "F" else self.army.get(at.split("/")[0], [])


class Player:
    def __init__(self, variant):
        self.variant = variant
        self.map = Map("modern" if variant == "modern" else "standard")
        self.random = random.Random(variant)
        self.number = 0

    def begin(self):
        """A position of units and owners anywhere."""
        one = self.random
        powers = self.map.centers if self.variant == "chaos" else self.map.powers
        state = {"units": {power: [] for power in powers}, "centers": {power: [] for power in powers}}
        provinces = list(self.map.army)
        one.shuffle(provinces)
        for at in provinces[: one.randrange(12, 45)]:
            coasts = self.map.stations(at)
            by_land = self.map.army[at] and (not coasts or one.random() < 0.6)
            if by_land or coasts:
                unit = f"A {at}" if by_land else f"F {one.choice(coasts)}"
                state["units"][one.choice(powers)].append(unit)
        for center in self.map.centers:
            if one.random() < 0.9:
                state["centers"][one.choice(powers)].append(center)
        if self.variant == "life":
            del state["centers"]
        return {"name": one.choice(["S1901M", "F1901M", "S1905M", "F1906M"]), "state": state}

    def line(self, position):
        state, one = position["state"], self.random
        self.number += 1
        line = {"id": f"{self.variant}{self.number}", **position, "orders": {}}
        for power in sorted({*state.get("units", {}), *state.get("centers", {}), *state.get("retreats", {})}):
            if power not in ("NEUTRAL", "MONSTERS"):
                line["orders"][power] = self.orders(power, position["name"][-1], state)
        if self.variant == "settings":
            line["settings"] = one.choice(SETTINGS)
        elif self.variant == "modern":
            line["map"] = "modern"
        elif self.variant != "standard":
            line |= {"variant": self.variant, "seed": f"{one.getrandbits(256):064x}"}
        return line

    def orders(self, power, kind, state):
        one = self.random
        units = state.get("units", {}).get(power, [])
        own = self.own_line(units)
        if kind == "R":
            return own + [order for unit, to in state.get("retreats", {}).get(power, {}).items() for order in self.retreat(unit, to)]
        if kind != "M":
            return own + [self.adjustment(units, state.get("centers", {}).get(power, [])) for _ in range(one.randrange(4))]
        all_units = [unit for units in state["units"].values() for unit in units if not unit.startswith("*")]
        return own + [self.order(unit, all_units) for unit in units if not unit.startswith("*") and one.random() < 0.96]

    def own_line(self, units):
        lines = OWN_LINES.get(self.variant)
        if not lines or self.random.random() < 0.6:
            return []
        unit = self.random.choice(units or ["A PAR"])
        place, number = self.random.choice(list(self.map.army)), self.random.randrange(12)
        return [self.random.choice(lines).format(unit=unit, place=place, number=number)]

    def retreat(self, unit, to):
        chance = self.random.random()
        if to and chance < 0.6:
            return [f"{unit} R {self.random.choice(to)}"]
        return [f"{unit} D"] if chance < 0.8 else []

    def adjustment(self, units, centers):
        one = self.random
        if units and one.random() < 0.45:
            return f"{one.choice(units)} D"
        if not centers or one.random() < 0.1:
            return "WAIVE"
        at = one.choice(centers)
        coasts = self.map.stations(at)
        return f"F {one.choice(coasts)} B" if coasts and one.random() < 0.5 else f"A {at} B"

    def order(self, unit, all_units):
        one = self.random
        near = self.map.reach(unit)
        chance = one.random()
        if chance < 0.05:
            return f"{unit} - {one.choice(list(self.map.army))}"
        if near and chance < 0.5:
            return f"{unit} - {one.choice(near)}" + (" VIA" if chance < 0.08 and unit[0] == "A" else "")
        if unit[0] == "F" and chance < 0.6:
            army = one.choice(all_units)
            return f"{unit} C {army} - {one.choice(list(self.map.army))}"
        places = {at.split("/")[0] for at in near}
        for other in one.sample(all_units, min(6, len(all_units))):
            if " " not in other or other == unit:
                continue
            to = [at for at in self.map.reach(other) if at.split("/")[0] in places]
            if to and one.random() < 0.7:
                return f"{unit} S {other} - {one.choice(to)}"
            if other.split(" ", 1)[1].split("/")[0] in places:
                return f"{unit} S {other}"
        return f"{unit} H"

    def after(self, answer):
        following = json.loads(answer).get("next") or {}
        state = following.get("state", {})
        if not following.get("name") or self.random.random() < 0.02 or not any(state.get("units", {}).values()):
            return self.begin()
        return {"name": following["name"], "state": {key: value for key, value in state.items() if key != "builds"}}


def main(binary, variant, count, kind=None):
    player, left = Player(variant), int(count)
    positions = [player.begin() for _ in range(GAMES)]
    while left > 0:
        lines = [player.line(position) for position in positions]
        wanted = [line for line in lines if kind in (None, line["name"][-1])][:left]
        for line in wanted:
            print(json.dumps(line, separators=(",", ":")))
        left -= len(wanted)
        text = "".join(json.dumps(line) + "\n" for line in lines)
        answers = subprocess.run([binary, "adjudicate"], input=text, text=True, capture_output=True).stdout.splitlines()
        positions = [player.after(answer) for answer in answers]


if __name__ == "__main__":
    main(*sys.argv[1:])
