"""Follows the alerts of a vision node: python3 follow.py https://vision.example

The password stands in VISION_PASSWORD, the user in VISION_USER. Needs Python 3.9 and
nothing else.
"""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request


def log_in(base, user, password):
    """Gives a bearer token with the rights of an account, for 12 hours."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    form = urllib.parse.urlencode({"user": user, "password": password}).encode()
    browser.open(base + "/login", form).close()
    try:
        with browser.open(urllib.request.Request(base + "/api/v1/tokens", method="POST")) as answer:
            return json.load(answer)["token"]
    except urllib.error.HTTPError as refused:
        sys.exit(f"log in as {user!r}: {refused} {json.load(refused)['error']}")


def ask(base, token, path):
    """Opens a path of the API as the token's account."""
    return urllib.request.urlopen(
        urllib.request.Request(base + path, headers={"Authorization": "Bearer " + token}), timeout=60
    )


told = set()  # the events begin with what is open, too


def tell(alert):
    """Prints an alert in a line, once: which, where, how grave, and what is wrong."""
    if alert["id"] in told:
        return
    told.add(alert["id"])
    print(alert["id"], alert["table"], alert["severity"], alert["es"], sep="\t", flush=True)


def follow(base, token):
    """Prints the open alerts, then each that comes (server-sent events)."""
    with ask(base, token, "/api/v1/events") as events:
        with ask(base, token, "/api/v1/alerts?open=true") as answer:
            for alert in json.load(answer):
                tell(alert)
        for line in events:
            if line.startswith(b"data: "):
                message = json.loads(line[6:])
                if message["type"] == "alert":
                    tell(message["body"])


if __name__ == "__main__":
    node = sys.argv[1].rstrip("/")
    follow(node, log_in(node, os.environ["VISION_USER"], os.environ["VISION_PASSWORD"]))
