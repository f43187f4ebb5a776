"""Drives pytds, a client written in pure Python, for test/clients/clients.test.ts."""

import time

import pytds
import pytds.tds_base

from driver import Refused, cell, message, run

connections = {}


def explain(error):
    return message(error.number, error.state, error.severity, error.line, error.text)


def connect(key, port, user, password, encryption, certificate):
    secured = {"none": {}, "trusting": {"cafile": certificate, "validate_host": False}, "verified": {"cafile": certificate}}
    try:
        connections[key] = pytds.connect(
            server="localhost", port=int(port), user=user, password=password, autocommit=True, bytes_to_unicode=True, **secured[encryption]
        )
    except pytds.tds_base.Error as error:
        raise Refused(str(error), [explain(error)] if getattr(error, "number", None) else [])


def read_sets(cursor):
    """All sets of an answer. An error ends its own set only; what is behind it is still to be read."""
    sets = []
    is_fresh = True
    while True:
        try:
            if is_fresh and cursor.description:
                rows = []
                sets.append({"columns": [each[0] for each in cursor.description], "rows": rows})
                for row in iter(cursor.fetchone, None):
                    rows.append([cell(value) for value in row])
        except pytds.tds_base.Error:
            pass
        try:
            is_fresh = True
            if not cursor.nextset():
                return sets
        except pytds.tds_base.Error:
            is_fresh = False


def batch(key, sql):
    cursor = connections[key].cursor()
    try:
        cursor.execute(sql)
    except pytds.tds_base.Error:
        pass  # it is among the messages, and more may be behind it
    sets = read_sets(cursor)
    said = [explain(each) for _, each in cursor.messages]
    return {
        "sets": sets,
        "infos": [each for each in said if each["severity"] <= 10],
        "errors": [each for each in said if each["severity"] > 10],
    }


def cancel(key, sql, after_ms):
    # pytds is for one thread: the batch is sent, not waited for, and then cancelled by its own cursor.
    cursor = connections[key].cursor()
    cursor._session.submit_plain_query(sql)
    time.sleep(int(after_ms) / 1000)
    cursor.cancel()


def close(key):
    connections.pop(key).close()


run({f.__name__: f for f in (connect, batch, cancel, close)})
