"""The part of a driver that does not depend on the client: requests in, JSON behind a Content-Length header for each out.

A request is one line: id, operation, connection and arguments, separated by tabs and percent-encoded. Each runs in a thread of its own, so that connections
do not wait for each other.
"""

import datetime
import decimal
import json
import sys
import threading
import urllib.parse
import uuid

output = threading.Lock()


class Refused(Exception):
    """A login that the server, or the client itself, refused. `errors`: what the server said."""

    def __init__(self, message, errors=()):
        super().__init__(message)
        self.errors = list(errors)


def message(number, state, severity, line, text):
    return {"number": number, "state": state, "severity": severity, "line": line, "text": text}


def cell(value):
    """A value as text, as test/clients/client.ts says."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex()
    if isinstance(value, uuid.UUID):
        return str(value).upper()
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)


def reply(value):
    body = json.dumps(value).encode()
    with output:
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        sys.stdout.buffer.flush()


def serve(request_id, operation, args):
    try:
        answer = operation(*args)
        reply({"id": request_id, "result": answer or {"sets": [], "infos": [], "errors": []}})
    except Refused as refused:
        reply({"id": request_id, "error": {"message": str(refused), "errors": refused.errors}})
    except BaseException as error:
        reply({"id": request_id, "error": {"message": f"{type(error).__name__}: {error}"}})


def run(operations):
    """Serves requests until standard input ends. `operations`: functions by name."""
    for line in sys.stdin:
        request_id, name, *args = [urllib.parse.unquote(part) for part in line.rstrip("\n").split("\t")]
        threading.Thread(target=serve, args=(request_id, operations[name], args), daemon=True).start()
