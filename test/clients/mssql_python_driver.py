"""Drives Microsoft's ODBC Driver 18, by Microsoft's mssql-python, for test/clients/clients.test.ts. It tells the text of an error and not its number."""

import os
import re
import threading

import mssql_python

from driver import Refused, cell, message, run

mssql_python.pooling(enabled=False)
connections = {}
trust = threading.Lock()
secured = {"none": "Encrypt=no", "trusting": "Encrypt=yes;TrustServerCertificate=yes", "verified": "Encrypt=yes;TrustServerCertificate=no"}


def text_of(error):
    return re.sub(r"^(\[[^\]]*\])+", "", getattr(error, "ddbc_error", "") or str(error))


def connect(key, port, user, password, encryption, certificate):
    # OpenSSL, which the driver uses, takes its authorities from the environment each time.
    with trust:
        os.environ["SSL_CERT_FILE"] = certificate
        try:
            connections[key] = mssql_python.connect(
                f"SERVER=localhost,{port};UID={user};PWD={password};{secured[encryption]}", autocommit=True
            )
        except mssql_python.Error as error:
            raise Refused(text_of(error), [message(None, None, None, None, text_of(error))])


def batch(key, sql):
    answer = {"sets": [], "infos": [], "errors": []}
    cursor = connections[key].cursor()

    def attempt(work):
        """None: an error, which is noted, and after which there may be more."""
        try:
            result = work()
            answer["infos"] += [message(None, None, None, None, re.sub(r"^(\[[^\]]*\])+", "", text)) for _, text in cursor.messages]
            cursor.messages.clear()
            return result
        except mssql_python.Error as error:
            answer["errors"].append(message(None, None, None, None, text_of(error)))
            return None

    is_fresh = attempt(lambda: cursor.execute(sql)) is not None
    while True:
        if is_fresh and cursor.description:
            rows = []
            answer["sets"].append({"columns": [each[0] for each in cursor.description], "rows": rows})
            attempt(lambda: rows.extend([cell(value) for value in row] for row in cursor.fetchall()))
        more = attempt(cursor.nextset)
        if more is False:
            break
        is_fresh = more is not None
    cursor.close()
    return answer


def limited(key, sql, seconds):
    connections[key].timeout = int(seconds)
    try:
        return batch(key, sql)
    finally:
        connections[key].timeout = 0


def close(key):
    connections.pop(key).close()


run({f.__name__: f for f in (connect, batch, limited, close)})
