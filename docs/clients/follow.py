"""Follows the alerts of a vision node: python3 follow.py https://vision.example

The password stands in VISION_PASSWORD, the user in VISION_USER. Needs Python 3.9 and
nothing else.
"""

import json
import os
import sys
import urllib.parse
import urllib.request


def log_in(base, user, password):
    """Gives a bearer token with the rights of an account, for 12 hours."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    form = urllib.parse.urlencode({"user": user, "password": password}).encode()
    browser.open(base + "/login", form).close()
    with browser.open(urllib.request.Request(base + "/api/v1/tokens", method="POST")) as answer:
        return json.load(answer)["token"]


def ask(base, token, path):
    """Opens a path of the API as the token's account."""
    return urllib.request.urlopen(
        urllib.request.Request(base + path, headers={"Authorization": "Bearer " + token}), timeout=60
    )


def tell(alert):
    """Prints an alert in a line: which, where, how grave, and what is wrong."""
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
