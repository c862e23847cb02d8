"""Asking a lab as a program would, and points to ask about."""

import json
import urllib.error
import urllib.request

XOR = {"X": [[0, 0], [0, 1], [1, 0], [1, 1]], "y": [-1, 1, 1, -1], "names": ["x1", "x2"]}
AND = {**XOR, "y": [-1, -1, -1, 1]}


def ask(url, path, body=None, headers=None, method=None):
    """The status and the JSON of an answer."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **(headers or {})}
    request = urllib.request.Request(url.rstrip("/") + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=500) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)
