#!/usr/bin/env python3
"""Makes the picture of a report in the README, `report.png` beside this file, from a mail of the demo: `report.py DEMO_FOLDER`.

    dipjudge demo DEMO_FOLDER && tests/pages/report.py DEMO_FOLDER
"""

import base64
import email
import email.policy
import subprocess
import sys
import tempfile
from pathlib import Path

SUBJECT, READER = "F1902M Results", "cleo@"


def page(message):
    """The HTML part with its pictures in it."""
    html, pictures = None, {}
    for part in message.walk():
        if part.get_content_type() == "text/html":
            html = part.get_content()
        elif part.get_content_type() == "image/png":
            pictures[part["content-id"].strip("<>")] = base64.b64encode(part.get_payload(decode=True)).decode()
    for name, data in pictures.items():
        html = html.replace(f"cid:{name}", f"data:image/png;base64,{data}")
    return html


def main(demo):
    for path in sorted(Path(demo, "mail/out").rglob("*")):
        if not path.is_file():
            continue
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        if SUBJECT in (message["subject"] or "") and READER in (message["to"] or ""):
            break
    else:
        sys.exit("no such mail")
    with tempfile.NamedTemporaryFile("w", suffix=".html") as file:
        file.write(page(message))
        file.flush()
        picture = Path(__file__).with_name("report.png")
        size = ["--window-size=700,1160", f"--screenshot={picture}"]
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", *size, f"file://{file.name}"], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
