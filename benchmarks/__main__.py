"""`python -m benchmarks`: every row of the design's table against the plain way in the same run, then whole rollouts.

Each size is measured in a process of its own, so that memory figures do not mix. Figures hold for this machine only;
compare the ratios. The first line says how fast the core is (a deep copy of a record of 14 fields).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.clock import shown

SIZES = (1_000, 10_000, 100_000, 1_000_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="records, by commas")
    parser.add_argument("--json", action="store_true", help="figures for machines")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one is not None:
        from benchmarks.measure import measured

        print(json.dumps(measured(chosen.folder, chosen.one)))
        return
    sizes = [int(size) for size in chosen.sizes.split(",")]
    figures = {size: _apart(size) for size in sizes}
    if chosen.json:
        print(json.dumps(figures, indent=2))
    else:
        print(_report(figures))


def _apart(size: int) -> dict[str, dict[str, float]]:
    """The figures of one size, measured in a process of its own."""
    print(f"measuring {size:,} records …", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="silo-bench-") as folder:
        command = [sys.executable, "-m", "benchmarks", "--one", str(size), "--folder", folder]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=dict(os.environ))
    figures: dict[str, dict[str, float]] = json.loads(done.stdout)
    return figures


def _report(figures: dict[int, dict[str, dict[str, float]]]) -> str:
    lines = []
    for size, found in figures.items():
        lines += [f"\n{size:,} records", "-" * 78]
        facts = found["facts"]
        lines.append(
            f"core: deep copy of one record {shown(facts['deepcopy_record'])}; load {shown(facts['load'])}; "
            f"memory after load {facts['memory_mb']:,.0f} MB"
        )
        lines.append(f"{'work':<44}{'plain way':>12}{'here':>12}{'ratio':>10}")
        for work, (plain, here) in ((name, pair) for name, pair in found["against"].items()):  # type: ignore[misc]
            lines.append(f"{work:<44}{_plain(work, plain):>12}{_plain(work, here):>12}{_ratio(plain, here):>10}")
        lines.append("")
        lines += [f"{work:<44}{shown(value):>12}{1 / value:>14,.0f} /s" for work, value in found["calls"].items()]
        lines.append("")
        lines += [f"{work:<58}{value:>10,.0f} /s" for work, value in found["rollouts"].items()]
    return "\n".join(lines)


def _plain(work: str, value: float | None) -> str:
    if value is None:
        return "not run"
    return f"{value / 1024:,.1f} KB" if "memory" in work else shown(value)


def _ratio(plain: float | None, here: float) -> str:
    return "" if plain is None or not here else f"{plain / here:,.0f}x"


if __name__ == "__main__":
    main()
