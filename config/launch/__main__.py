"""``python -m config.launch``: the whole application on this machine."""

import argparse
import io
import os
import sys
from pathlib import Path

from config.launch.launcher import ROOT, WEB_PROCESSES, WEB_THREADS, Options, launch


def main(words: list[str] | None = None) -> int:
    """Read the command line and run until stopped."""
    parser = argparse.ArgumentParser(prog="python -m config.launch", description="Run the whole application.")
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(os.environ.get("LANTERN_DATA", str(ROOT / "var"))),
        help="folder for everything that is kept (default: LANTERN_DATA, else var/ beside the code)",
    )
    parser.add_argument("--port", type=int, default=8000, help="port of the web server (default 8000)")
    parser.add_argument("--no-demo-data", dest="demo_data", action="store_false", help="leave a new installation empty")
    parser.add_argument(
        "--web",
        type=int,
        nargs=2,
        default=(WEB_PROCESSES, WEB_THREADS),
        metavar=("PROCESSES", "THREADS"),
        help="processes of the web server and threads of each (default %(default)s)",
    )
    options = parser.parse_args(words)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # A terminal that knows no Chinese must not end the program.
    return launch(
        Options(data=options.data, port=options.port, demo_data=options.demo_data, web=tuple(options.web)),
        fail=lambda sentence: print(f"\n{sentence}", file=sys.stderr),
    )


if __name__ == "__main__":
    sys.exit(main())
