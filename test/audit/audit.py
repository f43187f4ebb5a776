"""Computes each figure of docs/evidence.md from what simulated servers know of themselves, and compares it with what the product shows.

python audit.py FOLDER...: each as recording.ts writes it. Prints each difference with the figure, the server, what was expected and what is shown.
"""
import datetime
import json
import math
import os
import re
import sys

import duckdb

import lake
from figures import QUARTER, choose_sides, delays, find_stretches, judged_part, latency_sides, pair_samples, statistics, sum_quarters
from truth import Gap, Truth, Watched, busy, cut, is_in, length, number, subtract, union

HOUR = 3_600_000
INSTANCE = ["checkpoint_pages", "background_writer_pages", "lazy_writes", "page_writes", "writelog_waits", "writelog_wait_ms"]
FILES = ["data_writes", "data_written_bytes", "data_write_stall_ms", "log_writes", "log_written_bytes", "log_write_stall_ms"]


def is_close(expected, shown, within):
    if isinstance(expected, list) and isinstance(shown, list) and len(expected) == len(shown):
        return all(is_close(a, b, within) for a, b in zip(expected, shown))
    if isinstance(expected, (int, float)) and isinstance(shown, (int, float)):
        return math.isclose(expected, shown, rel_tol=1e-9, abs_tol=within)
    return expected == shown


class Audit:
    """Counts what is compared, and keeps what differs."""

    def __init__(self, truth):
        self.name = os.path.basename(truth.folder)
        self.compared, self.differences = 0, []

    def same(self, figure, expected, shown, within=1e-9):
        self.compared += 1
        if not is_close(expected, shown, within):
            self.differences.append(f"{figure}, server {self.name}: expected {expected}, shown {shown}")

    def rounded(self, figure, expected, text):
        """A figure in words: the last digit that is written may be half of one off."""
        digits = re.search(r"\.(\d+)", text)
        off = 0.5 * 10 ** -len(digits.group(1)) if digits else 0.5
        shown = number(text)
        is_near = None not in (expected, shown) and abs(expected - shown) <= off * 1.001
        self.same(figure, expected, expected if is_near else text)


def utc(moment):
    return (datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=moment)).isoformat(timespec="milliseconds") + "Z"


def audit_capture(audit, truth, watched):
    observation = truth.shown["tracking"]["observation"]
    audit.same("observed from, to", [watched.begin, watched.end], [observation["beginUtcMs"], observation["endUtcMs"]])
    shown = sorted((gap["kind"], gap["beginUtcMs"], gap["endUtcMs"]) for gap in observation["gaps"])
    audit.same("gaps", sorted(gap.key() for gap in watched.gaps), shown)
    # No time counts as observed in which the session did not run, or lost an event.
    runs = [(run["startedUtcMs"], run["stoppedUtcMs"] or truth.plain["nowUtcMs"]) for run in truth.plain["runs"]]
    pieces = subtract([(observation["beginUtcMs"], observation["endUtcMs"])], [Gap(gap["kind"], gap["beginUtcMs"], gap["endUtcMs"]) for gap in observation["gaps"]])
    audit.same("observed time outside of any run of the session", 0, length(pieces) - sum(length(cut(runs, a, b)) for a, b in pieces))
    tracking = truth.shown["tracking"]
    audit.same("checkpoints captured", len(watched.checkpoints) + len(watched.doubtful), tracking["checkpoints"])


def audit_statistics(audit, truth, watched):
    side = judged_part(watched)
    parts = [("statistics.csv", (watched.begin, watched.end))]
    # The two sides are offered where verdicts rest on the time since the last change, once ten minutes were seen.
    if side is not None and side.observed >= 600_000:
        parts += [(name, (each.begin, each.end)) for name, each in zip(("before.csv", "since.csv"), choose_sides(watched))]
    for file, (begin, end) in parts:
        rows = {int(row["database_id"]): row for row in truth.csv(file)}
        audit.same(f"{file} databases left out", set(), {each.database for each in watched.checkpoints if begin <= each.begin < end} - set(rows))
        is_side = file != "statistics.csv"
        for database, row in rows.items():
            shown = [float(row[name]) if row[name] else None for name in list(row)[3:]]
            compare_part(audit, f"{file} of {truth.names[database]},", watched, [database], watched.of(database), begin, end, shown, is_side)


def audit_checkpoints(audit, truth, watched):
    shown = [(int(row["database_id"]), row["begin_utc"], int(row["duration_ms"]), row["across_gap"]) for row in truth.csv("checkpoints.csv")]
    doubtful = [(each.database, utc(each.begin), each.ms, "yes") for each in watched.doubtful]
    expected = [*doubtful, *((each.database, utc(each.begin), each.ms, "no") for each in watched.checkpoints)]
    audit.same("checkpoints.csv that never happened", [], sorted(set(shown) - set(expected))[:3])
    audit.same("checkpoints.csv that are missing", [], sorted(set(expected) - set(shown))[:3])
    audit.same("checkpoints.csv twice", len(set(shown)), len(shown))
    columns = "database_id, epoch_ms(begin_utc), duration_ms, across_gap"
    rows = duckdb.sql(f"SELECT {columns} FROM '{truth.folder}/checkpoints.parquet'").fetchall()
    audit.same("checkpoints.parquet", sorted(shown), sorted((a, utc(b), c, "yes" if d else "no") for a, b, c, d in rows))
    saved = json.loads(truth.text("statistics.json"))
    [table] = saved["tables"]
    for row, other in zip(truth.csv("statistics.csv"), table["rows"], strict=True):
        for name in set(row) - {"database"}:
            audit.same(f"statistics.json {name} beside statistics.csv", float(row[name]) if row[name] else None, other[name])
    ledger = saved["ledger"]
    rest = sum(ledger[name] for name in ("unpaired", "duplicates", "malformed", "other_events"))
    # While it is followed, the rest of the events wait.
    audit.same("no more checkpoints than events", True, 2 * ledger["checkpoints"] + rest <= ledger["events_read"])


def audit_task(audit, truth, watched):
    side = judged_part(watched)
    pieces = watched.pieces if side is None else side.pieces
    turns = [each for each in (watched.checkpoints if side is None else side.reaching) if each.kind == "automatic"]
    task = truth.shown["instance"]["task"]
    audit.same("observed time of the task", length(pieces), task["observedMs"])
    if not pieces:
        return
    seen = turns + [each for each in watched.cut if any(a <= each.begin < b for a, b in pieces)]
    # A part ends a millisecond from its edge.
    off = 1e-9 + task["margin"] + len(watched.cut) / length(pieces)
    audit.same("busy share", busy(seen, pieces) / length(pieces), task["busyShare"], off)
    audit.same("the verdict's time begins at the last change", None if side is None else max(each["atUtcMs"] for each in truth.changes), truth.shown["instance"]["sinceUtcMs"])
    told = re.search(r"busy ([<>]? ?[\d.]+) %", truth.shown["pages"]["writeWork"]["summary"]).group(1)
    audit.rounded("I/O page, busy %", 100 * busy(seen, pieces) / length(pieces), told)
    waits = delays(find_stretches(seen, pieces))
    rows = {row["databaseId"]: [cell.get("value") for cell in row["cells"][1:]] for row in truth.table("writeWork", "delays")["rows"]}
    audit.same("delays, databases", set(waits), set(rows))
    for database, row in rows.items():
        audit.same(f"delays of {truth.names[database]}", waits.get(database), row)
    own = watched.checkpoints if side is None else side.checkpoints
    beside = [each for each in own if each.is_asked and truth.is_automatic(each)]
    expected = [(each.database, each.begin, each.ms, busy(turns, [(each.begin, each.end)])) for each in beside]
    rows = truth.table("writeWork", "beside-task")["rows"]
    audit.same("checkpoints outside the task", sorted(expected), sorted((row["databaseId"], *(cell.get("value") for cell in row["cells"][1:4])) for row in rows))
    causes = sorted("backup" if each.kind == "backup" else "a session: CHECKPOINT or alike" for each in beside)
    audit.same("causes of those outside the task", causes, sorted(row["cells"][4]["text"] for row in rows))


def audit_result(audit, truth, watched):
    sides = choose_sides(watched)
    page = truth.shown["pages"]["beforeAfter"]
    if sides is None or min(side.observed for side in sides) < 600_000:
        return audit.same("before / after without enough time", [], [table["id"] for table in page["tables"] if table["id"] == "result"])
    table = truth.table("beforeAfter", "result")
    changed = {each["databaseId"] for each in truth.changes}
    kept = {database for database in changed if truth.target_at(database, watched.end) != 0}
    names = [column["name"] for column in table["columns"]][2:]
    for row in table["rows"]:
        is_server = row is table["rows"][-1]
        databases = {row["databaseId"]} if row["databaseId"] is not None else set(truth.databases) if is_server else kept
        for name, cell in zip(names, row["cells"][2:]):
            for side, value in zip(sides, (cell["before"], cell["value"])):
                where = f"before / after, {name} {'before' if side is sides[0] else 'after'} of {row['cells'][0]['text']}"
                # A part ends a millisecond from its edge.
                audit.same(where, side.of(databases, is_server)[name], value, 1e-9 + len(watched.cut) / max(1, side.observed) * (name == "share_of_task"))
    audit.same("before / after, databases", changed, {row["databaseId"] for row in table["rows"]} - {None})
    result = truth.shown["result"]
    for name, side in zip(("before", "after"), sides):
        audit.same(f"before / after, {name} from, to", [side.begin, side.end, side.observed], [result["sides"][name][key] for key in ("beginUtcMs", "endUtcMs", "observedMs")])
        averages = [statistics([each for each in side.checkpoints if each.database == database], side.pieces)["average_ms"] for database in kept]
        audit.same(f"one of each, {name}", None if None in averages else sum(averages), result["oneOfEachMs"][name])
        audit.same(f"longest without, {name}", side.longest_without(kept), result["longestWithoutMs"][name])


def read_files(truth):
    """By database. What is read of files without the counters of that moment is read for something else."""
    sampled = {row["now_utc"] for row in truth.heard("window", "database-counters")}
    by_database = {}
    for row in truth.heard("window", "file-io"):
        if row["now_utc"] in sampled:
            by_database.setdefault(int(row["database_id"]), []).append(row)
    return by_database


def audit_total_writes(audit, truth, watched):
    """Of the quarter hours that lie whole before the first change, and whole after the last."""
    tables = [table for table in truth.shown["pages"]["beforeAfter"]["tables"] if table["id"] == "result"]
    if not tables:
        return
    samples = pair_samples(truth.heard("window", "instance-work"), INSTANCE)
    before = choose_sides(watched)[0]
    moments = [each.latest for each in watched.changes]
    rates = []
    for begin, end in ((before.begin, min(moments)), (max(moments), watched.end)):
        first, last = -(-begin // QUARTER) * QUARTER, end // QUARTER * QUARTER
        sums, sampled = sum_quarters(samples, first, last, INSTANCE) if last >= first + 2 * QUARTER else (None, 0)
        rates.append(sum(sums[name] for name in INSTANCE[:3]) / 128 * HOUR / sampled if sampled > QUARTER else None)
    told = re.search(r"Total writes: ([\d,]+) → ([\d,]+) MB an hour", " ".join(tables[0]["below"]))
    audit.same("total writes are told", None not in rates, told is not None)
    for rate, text in zip(rates, told.groups() if told and None not in rates else ()):
        audit.rounded("total writes, MB an hour", rate, text)


def per(above, below):
    return above / below if below else None


def instance_figures(samples, begin, end):
    sums, sampled = sum_quarters(samples, begin, end, INSTANCE)
    total = sum(sums[name] for name in INSTANCE[:3])
    return {name: (per(sums[name] * 1000, sampled), per(sums[name], total)) for name in INSTANCE}


def database_figures(samples, counted, begin, end):
    """In the order of the columns."""
    sums, sampled = sum_quarters(samples, begin, end, FILES)
    transactions, counted_ms = sum_quarters(counted, begin, end, ["write_transactions"])
    written, log = sums["data_written_bytes"], sums["log_written_bytes"]
    return [
        per(written * HOUR, sampled),
        per(written / 8192, sums["data_writes"]),
        per(sums["data_write_stall_ms"], sums["data_writes"]),
        per(sums["log_write_stall_ms"], sums["log_writes"]),
        per(log * HOUR, sampled),
        per(written, log),
        per(transactions["write_transactions"] * HOUR, counted_ms),
    ]


def audit_writes(audit, truth, watched):
    side = judged_part(watched)
    begin, end = (watched.begin, watched.end) if side is None else (side.begin, side.end)
    samples = pair_samples(truth.heard("window", "instance-work"), INSTANCE)
    now = instance_figures(samples, begin, end)
    for name, row in zip(INSTANCE, truth.table("writeWork", "instance")["rows"]):
        audit.same(f"{name} a second", now[name][0], row["cells"][1].get("value"))
        if name in INSTANCE[:3]:
            audit.same(f"share of {name}", now[name][1], row["cells"][2].get("value"))
    waits = [each for each in pair_samples(truth.heard("window", "instance-work"), ["checkpoint_queue_wait_ms"]) if each.begin >= begin and each.end <= end]
    told = re.search(r"CHECKPOINT_QUEUE\) show the checkpoint task busy ([<>]? ?[\d.]+) %", truth.shown["pages"]["writeWork"]["summary"])
    audit.same("the task's own waits are told", bool(waits), told is not None)
    if waits and told:
        idle = sum(each.figures["checkpoint_queue_wait_ms"] for each in waits)
        audit.rounded("busy by its own waits, %", 100 * (1 - idle / sum(each.end - each.begin for each in waits)), told.group(1))
    by_database, transactions = read_files(truth), {}
    for row in truth.heard("window", "database-counters"):
        transactions.setdefault(row["counter_instance"], []).append(row)
    for row in truth.table("writeWork", "databases")["rows"]:
        database = row["databaseId"]
        samples = pair_samples(by_database[database], FILES)
        counted = pair_samples(transactions[truth.names[database]], ["write_transactions"])
        expected = database_figures(samples, counted, begin, end)
        names = [column["name"] for column in truth.table("writeWork", "databases")["columns"]][1:]
        for name, value, cell in zip(names, expected, row["cells"][1:]):
            audit.same(f"{name} of {truth.names[database]}", value, cell.get("value"))


def audit_latency(audit, truth, watched):
    """How many samples lie in checkpoints and outside of them, as the sentences say, and the two latencies where they are told."""
    side = judged_part(watched)
    pieces = watched.pieces if side is None else side.pieces
    page = truth.shown["pages"]["writeWork"]

    def compare(what, text, samples, checkpoints, operations, stall, cells):
        covered = union((each.begin, each.end) for each in checkpoints)
        doubtful = union((each.begin, each.end) for each in watched.doubtful)
        during, outside, mixed = latency_sides(samples, covered, doubtful, pieces, operations, stall)
        told = re.search(r"([\d,]+) during, ([\d,]+) outside, ([\d,]+) mixed", text)
        if told is not None:
            audit.same(f"{what}: samples during, outside, mixed", [during[2], outside[2], mixed], [int(each.replace(",", "")) for each in told.groups()])
        if during[2] >= 10 and outside[2] >= 10 and cells is not None:
            audit.same(f"{what}: during, outside", [during[0] / during[1], outside[0] / outside[1]], [cell.get("value") for cell in cells])

    instance = pair_samples(truth.heard("window", "instance-work"), INSTANCE)
    compare("WRITELOG", page["summary"], instance, watched.checkpoints, "writelog_waits", "writelog_wait_ms", None)
    by_database = read_files(truth)
    for row in truth.table("writeWork", "latency")["rows"]:
        kind = "log" if "log files" in row["cells"][0]["text"] else "data"
        samples = pair_samples(by_database[row["databaseId"]], FILES)
        own = watched.of(row["databaseId"])
        compare(row["cells"][0]["text"], row["cells"][3]["text"], samples, own, f"{kind}_writes", f"{kind}_write_stall_ms", row["cells"][1:3])


FLUSH = re.compile(r"FlushCache: cleaned up (\d+) bufs with (\d+) writes in (\d+) ms .*for db (\d+):")


def audit_error_log(audit, truth, watched):
    expected = []
    for at, row in enumerate(log := truth.plain["errorLog"]):
        found = FLUSH.match(row["text"])
        if found is not None:
            pages, writes, duration, database = map(int, found.groups())
            own = [each["text"] for each in log[at : at + 12] if each["processInfo"] == row["processInfo"]]
            rate = next(re.search(r"throughput: +([\d.]+)", text) for text in own if "throughput" in text)
            wait = next(re.search(r"avgWriteLatency (\d+)", text) for text in own if "avgWriteLatency" in text)
            expected.append([database, duration, pages, pages / writes if writes else None, int(wait.group(1)), float(rate.group(1))])
    rows = truth.table("errorLog", "flush-cache")["rows"]
    shown = [[row["databaseId"], *(cell.get("value") for cell in row["cells"][2:7])] for row in rows]
    audit.same("FlushCache messages", sorted(expected, key=str), sorted(shown, key=str))


def code_of(duration):
    """The byte that a lane shows: 64 steps from 10 ms to 100 s on a logarithmic scale, and whether it reaches the recovery interval of a minute."""
    place = min(1, max(0, math.log10(max(duration, 1) / 10) / 4))
    return 1 + 2 * min(63, math.floor(place * 64)) + (duration >= 60_000)


def audit_timeline(audit, truth, watched):
    timeline = truth.shown["timeline"]
    columns = len(timeline["busy"]["busyMs"])
    width = (watched.end - watched.begin) / columns
    own = [each for each in watched.checkpoints if truth.is_automatic(each) and not each.is_asked]
    drawn = watched.checkpoints + watched.doubtful
    for at in range(columns):
        begin, end = watched.begin + at * width, watched.begin + (at + 1) * width
        pieces = cut(watched.pieces, begin, end)
        audit.same(f"timeline, observed in column {at}", length(pieces), timeline["busy"]["observedMs"][at], 1e-6)
        # A cell of some milliseconds on a border of two columns is divided by time.
        audit.same(f"timeline, busy in column {at}", busy(own, pieces), timeline["busy"]["busyMs"][at], 64)
        for lane in timeline["lanes"]:
            mine = [each for each in drawn if each.database == lane["databaseId"]]
            # An edge is at most a quarter of a column from its place.
            least, most = (
                max((code_of(each.ms) for each in mine if each.begin < end + off and each.end > begin - off), default=0) for off in (-width / 4, width / 4)
            )
            where = f"timeline, column {at} of {truth.names[lane['databaseId']]}"
            audit.same(where, True, least <= lane["codes"][at] <= most)
    a, b = timeline["middle"]["beginUtcMs"], timeline["middle"]["endUtcMs"]
    names = ("count", "perHour", "averageMs", "p50Ms", "p95Ms", "p99Ms", "maximumMs", "totalMs", "share")
    measured = [("three databases as one", timeline["databases"][:3], timeline["figures"])]
    measured += [(truth.names[database], [database], each) for database, each in zip(timeline["databases"], timeline["each"])]
    for what, databases, figures in measured:
        mine = [each for each in watched.checkpoints if each.database in databases]
        compare_part(audit, f"timeline, middle third of {what},", watched, databases, mine, a, b, [figures[name] for name in names])


def compare_part(audit, what, watched, databases, checkpoints, begin, end, shown, is_side=False):
    """The figures of a part of the time. On a side only what begins in observed time counts."""
    pieces = cut(watched.pieces, begin, end)
    inside = [each for each in checkpoints if (is_in(pieces, each.begin) if is_side else begin <= each.begin < end)]
    for (name, value), seen in zip(statistics(inside, pieces, checkpoints).items(), shown):
        audit.same(f"{what} {name}", value, seen)


PARTS = (
    audit_capture,
    audit_checkpoints,
    audit_statistics,
    audit_task,
    audit_result,
    audit_writes,
    audit_total_writes,
    audit_latency,
    audit_error_log,
    audit_timeline,
)


def main(folders):
    compared, differences = 0, []
    for folder in folders:
        truth = Truth(folder)
        audit = Audit(truth)
        watched = Watched(truth, "window")
        watched.changes = truth.list_changes()
        for part in PARTS:
            part(audit, truth, watched)
        collected = lake.Collected(truth)
        for part in (lake.audit_lake, lake.audit_report, lake.audit_procedure):
            part(audit, truth, collected)
        compared += audit.compared
        differences += audit.differences
    print("\n".join([*differences, f"{compared} figures of {len(folders)} servers compared, {len(differences)} differ"]))
    return 1 if differences or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
