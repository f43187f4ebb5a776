"""The lake, its analyses, the report, the check and the procedure, held to what the server knows of itself."""
import datetime
import glob
import json
import os
import re

import duckdb

from figures import FEWEST_FOR_P95, HOUR, MINUTE, judged_part, statistics
from truth import Change, Checkpoint, Watched, busy, cut, length, union

ANALYSIS = os.path.join(os.path.dirname(__file__), "../../analysis")
TABLES = ("checkpoints", "gaps", "facts", "runs", "server_days", "database_days")
TYPES = {"string": "varchar", "long": "bigint", "timestamp": "timestamptz", "binary": "blob"}
DAY, QUARTER, REACH = 24 * HOUR, HOUR // 4, 42 * 24 * HOUR


class Collected(Watched):
    """What the runs of the command line could see."""

    def __init__(self, truth):
        super().__init__(truth, "collector")
        self.truth = truth
        self.runs = sorted({look.at for look in self.looks})
        # Observed time, cut where a run ended.
        self.by_run = [each for a, b in zip([self.begin, *self.runs], self.runs) for each in cut(self.pieces, a, b)]
        self.changes = list(self.find_changes())

    def target_read(self, database, moment):
        """The target recovery time as the last run before a moment read it; before the first one, as that did."""
        return self.read_at(database, max((run for run in self.runs if run <= moment), default=self.runs[0]))

    def read_at(self, database, run):
        """What that run read. What was changed in the same moment was changed after it: virtual time stood still."""
        return self.truth.target_at(database, run - 1)

    def find_changes(self):
        """What two runs read differently changed between them."""
        for database in self.truth.databases:
            for earlier, later in zip(self.runs, self.runs[1:]):
                before, now = self.read_at(database, earlier), self.read_at(database, later)
                if before != now:
                    yield Change(database, earlier, later, before, now)

    def is_turn(self, checkpoint):
        """A database is automatic as the runs read it; in the time between two that read it differently nothing is known."""
        own = [each for each in self.changes if each.database == checkpoint.database]
        if any(each.earliest <= checkpoint.begin < each.latest for each in own):
            return False
        past = [each for each in own if each.latest <= checkpoint.begin]
        target = past[-1].now if past else own[0].before if own else self.read_at(checkpoint.database, self.end + 1)
        return super().is_turn(checkpoint) and target == 0

    def turns(self):
        return [each for each in self.checkpoints if not each.is_asked and self.target_read(each.database, each.begin) == 0]


def is_user(row):
    return row["database_id"] > 4


def open_lake(folder):
    """DuckDB over the files that the logs name, as analysis/README.md says."""
    lake = duckdb.connect()
    lake.execute("SET TimeZone = 'Asia/Tokyo'")
    lake.execute("CREATE MACRO unix_micros(t) AS epoch_us(t)")
    for table in TABLES:
        files, columns = set(), []
        for log in sorted(glob.glob(f"{folder}/lake/{table}/_delta_log/*.json")):
            with open(log, encoding="utf8") as lines:
                for action in map(json.loads, filter(str.strip, lines)):
                    files |= {action["add"]["path"]} if "add" in action else set()
                    files -= {action["remove"]["path"]} if "remove" in action else set()
                    columns = json.loads(action["metaData"]["schemaString"])["fields"] if "metaData" in action else columns
        typed = ", ".join(f"{each['name']} {TYPES.get(each['type'], each['type'])}" for each in columns)
        lake.execute(f"CREATE TABLE {table} ({typed})")
        paths = [f"{folder}/lake/{table}/{path}" for path in files]
        if paths:
            lake.execute(f"INSERT INTO {table} BY NAME SELECT * FROM read_parquet({paths}, hive_partitioning = false, union_by_name = true)")
        # A second server with the same history: nothing of it may come into the figures of the first.
        lake.execute(f"INSERT INTO {table} SELECT * REPLACE ('T' AS server) FROM {table}")
    with open(f"{ANALYSIS}/views.sql", encoding="utf8") as text:
        lake.execute(text.read())
    return lake


def ask(lake, name):
    with open(f"{ANALYSIS}/{name}.sql", encoding="utf8") as text:
        answer = lake.execute(text.read())
    names = [column[0] for column in answer.description]
    rows = [dict(zip(names, row)) for row in answer.fetchall()]
    return [row for row in rows if row["server"] == "S"]


def audit_lake(audit, truth, collected):
    lake = open_lake(truth.folder)
    rows = lake.execute("SELECT database_id, epoch_ms(begin_utc), duration_ms FROM checkpoints WHERE server = 'S'").fetchall()
    expected = [(each.database, each.begin, each.ms) for each in [*collected.checkpoints, *collected.doubtful]]
    audit.same("lake, checkpoints", sorted(expected), sorted(rows))
    gaps = lake.execute("SELECT kind, epoch_ms(begin_utc), max(epoch_ms(end_utc)) FROM gaps WHERE server = 'S' GROUP BY ALL").fetchall()
    audit.same("lake, gaps", sorted(gap.key() for gap in collected.gaps), sorted(gaps))
    audit_runs(audit, truth, collected, lake)
    observed = length(collected.pieces)
    for row in ask(lake, "offenders"):
        own = statistics(collected.of(row["database_id"]), collected.pieces)
        for name in ("checkpoints", "total_ms", "average_ms", "p50_ms", "p95_ms", "p99_ms"):
            audit.same(f"offenders {name} of {row['database_name']}", own[name], row[name])
        audit.same(f"offenders longest_ms of {row['database_name']}", own["max_ms"], row["longest_ms"])
    turns = collected.turns()
    for row in ask(lake, "saturation"):
        begin = (row["day_utc"] - datetime.date(1970, 1, 1)).days * DAY
        day = cut(collected.pieces, begin, begin + DAY)
        shown = [row["observed_us"], row["busy_us"], row["busy_share"]]
        audit.same(f"saturation of {row['day_utc']}", [length(day) * 1000, busy(turns, day) * 1000, busy(turns, day) / length(day)], shown)
    audit_fleet(audit, truth, collected, ask(lake, "fleet")[0], turns)
    audit_cohort(audit, truth, collected, ask(lake, "cohort"), turns)
    audit_storms(audit, collected, ask(lake, "storms"))
    for row in ask(lake, "silent"):
        audit.same(f"silent, checkpoints of {row['database_name']}", 0, len(collected.of(row["database_id"])))
        audit.same(f"silent observed_us of {row['database_name']}", observed * 1000, row["observed_us"])
    audit_changes(audit, truth, collected, ask(lake, "before_after"), lake)


def audit_runs(audit, truth, collected, lake):
    """What each run wrote about itself."""
    rows = lake.execute("SELECT checkpoints, busy_ms, longest_ms, databases, automatic_databases, epoch_ms(observed_to_utc) FROM runs WHERE server = 'S' ORDER BY started_utc").fetchall()
    audit.same("runs", len(collected.runs), len(rows))
    audit.same("runs, checkpoints", len(collected.checkpoints) + len(collected.doubtful), sum(row[0] for row in rows))
    all_of_them, settled = [*collected.checkpoints, *collected.doubtful], 0
    for run, row in zip(collected.runs, rows):
        look = max((each for each in collected.looks if each.at == run), key=lambda each: each.runs)
        until = run - look.lag if look.runs else run
        new = [each for each in all_of_them if settled <= each.end < until]
        settled = until
        if row[0] != len(new):
            continue  # After a stop a run may leave events to the next one. All of them together are held above.
        targets = {database: collected.read_at(database, run) for database in truth.databases}
        # What the run before it read was so until this one read again.
        was = {database: collected.read_at(database, runs_before[-1]) for database in truth.databases} if (runs_before := [each for each in collected.runs if each < run]) else targets
        users = [each for each in targets if each > 4]
        automatic = [each for each in users if targets[each] == 0]
        sure = busy([each for each in new if was[each.database] == 0 and not each.is_asked and each in collected.checkpoints], collected.pieces)
        expected = [len(new), sure, max((each.ms for each in new), default=None), len(users), len(automatic)]
        audit.same(f"run at {run}", expected, list(row[:5]))


def audit_fleet(audit, truth, collected, row, turns):
    durations = [each.ms for each in collected.checkpoints]
    users = [each for each in truth.databases.values() if is_user(each)]
    expected = {
        "observed_us": length(collected.pieces) * 1000,
        "busy_us": busy(turns, collected.pieces) * 1000,
        "busy_share": busy(turns, collected.pieces) / length(collected.pieces),
        "gap_us": (collected.end - collected.begin - length(collected.pieces)) * 1000,
        "checkpoints": len(durations),
        "long_checkpoints": sum(each >= MINUTE for each in durations),
        "longest_ms": max(durations, default=None),
    }
    for name, value in expected.items():
        audit.same(f"fleet {name}", value, row[name])
    audit.same("fleet databases", len(users), row["databases"])
    audit.same("fleet automatic_databases", sum(each["target_recovery_time_in_seconds"] == 0 for each in users), row["automatic_databases"])


def audit_cohort(audit, truth, collected, rows, turns):
    observed = length(collected.pieces)
    own = {}
    for database in {each.database for each in turns}:
        if truth.databases[database]["target_recovery_time_in_seconds"] == 0:
            own[database] = busy([each for each in turns if each.database == database], collected.pieces)
    total, taken = sum(own.values()), 0
    audit.same("cohort, databases", set(own), {row["database_id"] for row in rows})
    for row in rows:
        ms = own.get(row["database_id"], 0)
        is_heavy = taken < 0.8 * total and ms > 0
        taken += ms
        expected = [ms * 1000, ms / observed, ms / total, taken / total, is_heavy, (total - taken) / observed]
        shown = [row[name] for name in ("busy_us", "share", "share_of_task", "cumulative_share", "is_heavy", "left_share")]
        for name, value, seen in zip(("busy_us", "share", "share_of_task", "cumulative_share", "is_heavy", "left_share"), expected, shown):
            audit.same(f"cohort {name} of {row['database_name']}", value, seen)


def audit_storms(audit, collected, rows):
    minutes = {}
    for each in collected.checkpoints:
        first = each.begin - each.begin % MINUTE
        for minute in range(first, max(each.end, first + 1), MINUTE):
            minutes.setdefault(minute, []).append((max(each.begin, minute), min(each.end, minute + MINUTE), each.database))
    worst = [sum(end - begin for begin, end, _ in parts) for parts in minutes.values()]
    audit.same("storms, the worst minutes", sorted((each * 1000 for each in worst), reverse=True)[:20], [row["checkpoint_us"] for row in rows])
    for row in rows:
        parts = minutes[row["minute_us"] // 1000]
        most = max(sum(a <= begin < b for a, b, _ in parts) or 1 for begin, _, _ in parts)
        expected = [len(parts), len({database for _, _, database in parts}), most]
        audit.same(f"storms at {row['minute_us']}", expected, [row["checkpoints"], row["databases"], row["most_at_once"]])


def audit_changes(audit, truth, collected, rows, lake):
    # A run that observed nothing new ends no stretch of observed time.
    reached = {row[0] for row in lake.execute("SELECT epoch_ms(observed_to_utc) FROM runs WHERE server = 'S'").fetchall()}
    idle, expected = {run for run in collected.runs if run not in reached}, {}
    for database in {each["databaseId"] for each in truth.changes}:
        seen = [(run, collected.read_at(database, run)) for run in collected.runs]
        changed = [(at, before, now) for (_, before), (at, now) in zip(seen, seen[1:]) if before != now]
        lasts = [max(b for _, b in collected.by_run if b < at and b not in idle) for at, _, _ in changed]
        for place, (at, before, now) in enumerate(changed):
            begin = max(at - REACH, changed[place - 1][0] + QUARTER if place > 0 else 0)
            end = min(at + REACH, lasts[place + 1] if place + 1 < len(changed) else at + REACH)
            both = []
            for side in ((begin, lasts[place]), (at + QUARTER, end)):
                pieces = cut(collected.pieces, *side)
                own = statistics([each for each in collected.of(database) if side[0] <= each.begin < side[1]], pieces)
                figures = [own[name] for name in ("checkpoints", "per_hour", "average_ms", "p95_ms")]
                both += [length(pieces) * 1000, *(figures if pieces else [None] * 4)]
            expected[(database, at * 1000)] = [str(before), str(now), *both]
    names = ("observed_us", "checkpoints", "per_hour", "average_ms", "p95_ms")
    columns = ["from_seconds", "to_seconds", *(f"{side}_{name}" for side in ("before", "after") for name in names)]
    shown = {(row["database_id"], row["changed_us"]): [row[name] for name in columns] for row in rows}
    audit.same("before_after, changes", set(expected), set(shown))
    for key in set(expected) & set(shown):
        for name, value, seen in zip(columns, expected[key], shown[key]):
            audit.same(f"before_after {name} of {truth.names[key[0]]}", value, seen)


ROUNDED = {"per_hour": 0.006, "average_ms": 0.0006}


def of(begin, end):
    return Checkpoint(begin["databaseId"], begin["beginUtcMs"], end["endUtcMs"], None, None)


def figures_of(checkpoints, database, observed):
    """By the columns of result 5."""
    own = statistics([each for each in checkpoints if each.database == database], [(0, observed)])
    return {
        "checkpoints": own["checkpoints"],
        "per_hour": own["checkpoints"] * HOUR / observed,
        "average_ms": own["average_ms"],
        "p50_ms": own["p50_ms"],
        "p95_ms": own["p95_ms"],
        "p99_ms": own["p99_ms"],
        "maximum_ms": own["max_ms"],
        "total_seconds": own["total_ms"] / 1000,
    }


def audit_procedure(audit, truth, watched):
    """Of the file that is being written, and of all files. Each run of the session has its own."""
    for place, only in ((0, True), (1, False)):
        results = truth.shown["procedure"]["answers"][place]
        runs = truth.plain["runs"][-1:] if only else truth.plain["runs"]
        numbers = {run["run"] for run in runs}
        own = [each for each in truth.captured if each["run"] in numbers]
        spans = []
        for run in runs:
            moments = [each[name] for each in own if each["run"] == run["run"] for name in ("beginUtcMs", "endUtcMs") if each[name] is not None]
            spans += [(min(moments), max(moments))] if moments else []
        observed = length(union(spans))
        whole = [of(each, each) for each in own if None not in (each["beginUtcMs"], each["endUtcMs"])]
        what = "procedure, one file" if only else "procedure, all files"
        outcomes = {row["outcome"]: int(row["events"]) for row in results[6]}
        halves = sum(None in (each["beginUtcMs"], each["endUtcMs"]) for each in own)
        shown = [outcomes.pop("checkpoint", 0), sum(outcomes.values())]
        audit.same(f"{what}, events of checkpoints, and others", [2 * len(whole), halves], shown)
        for row in results[5]:
            for name, value in figures_of(whole, int(row["database_id"]), observed).items():
                seen = None if row[name] is None else float(row[name])
                audit.same(f"{what}, {name} of {row['database_name']}", value, seen, ROUNDED.get(name, 1e-9))
        verdict = next(row["Details"] for row in results[0] if row["FindingsGroup"] == "Checkpoint task")
        told = re.search(r"^Busy (at least )?(\d+) % of (\d+) min\.", verdict)
        changed = "change" in verdict
        audit.same(f"{what}, says how busy the task was", observed >= 10 * MINUTE and not changed, told is not None)
        if told is not None:
            automatic = {each["database_id"] for each in truth.databases.values() if each["target_recovery_time_in_seconds"] == 0}
            ran = busy([each for each in whole if each.database in automatic], union(spans))
            audit.same(f"{what}, busy %", int(100 * ran / observed), int(told.group(2)))
            audit.same(f"{what}, observed minutes", observed // MINUTE, int(told.group(3)))


UNITS = {"ms": 1, "s": 1000, "min": MINUTE, "h": HOUR, "d": DAY}


def read_duration(text):
    """`57.0 s`, `8 min 15 s`: milliseconds, and by how much the text may be off."""
    parts = re.findall(r"([\d.,]+) (ms|s|min|h|d)\b", text)
    if not parts:
        return None, 0
    figure, unit = parts[-1]
    digits = len(figure.split(".")[1]) if "." in figure else 0
    smallest = {"h": MINUTE, "min": 1000, "d": HOUR}.get(unit, UNITS[unit]) if len(parts) == 1 else UNITS[unit]
    return sum(float(value.replace(",", "")) * UNITS[name] for value, name in parts), 0.5 * smallest / 10**digits


def audit_report_task(audit, truth, collected, fleet):
    """Busy, of the time since the last change that counts; the same in the sentence of the check. Once a run saw one, the log is read for all."""
    told = re.search(r"Busy (at least )?([\d.]+) % of (\d+ h \d+ min|\d+ (?:minutes|min|h))", fleet[1])
    if told is None:
        audit.same("report, no busy share before ten minutes", True, "Busy" not in fleet[1])
        return None
    found = []
    by_run = collected.changes
    for changes in (by_run, truth.list_changes()):
        collected.changes = changes
        side = judged_part(collected)
        pieces = collected.pieces if side is None else side.pieces
        turns = [each for each in (collected.checkpoints if side is None else side.reaching) if collected.is_turn(each)]
        off = abs(read_duration(told.group(3).replace("minutes", "min"))[0] - length(pieces))
        if pieces:
            # Of cut ones it knows those whose lone event the state still holds.
            for cut_ones in ([], collected.cut):
                found.append((off, 100 * busy([*turns, *cut_ones], pieces) / length(pieces), side))
    collected.changes = by_run
    shown = float(told.group(2))
    off, expected, judged = min(found, key=lambda each: (each[0], abs(each[1] - shown)))
    likely = [each[1] for each in found if each[0] == off]
    expected = shown if min(likely) <= shown <= max(likely) else expected
    audit.same("report, time since the last change", True, off <= MINUTE / 2)
    audit.rounded("report, busy %", expected, told.group(2))
    audit.rounded("report, busy % in its column", expected, fleet[2])
    [server] = json.loads(truth.text("check.json"))["servers"]
    rules = {each["rule"]: each["sentence"] for each in server["findings"] if each["database"] is None}
    audit.same("check, databases", sum(map(is_user, truth.databases.values())), server["databases"])
    audit.same("check, says of the task what the report says", [True] * len(rules), [told.group() in sentence for rule, sentence in rules.items() if "checkpoint-task" in rule])
    audit.same("check, a rule for a task that is saturated", expected > 80, "checkpoint-task-saturated" in rules)
    return judged


def audit_report(audit, truth, collected):
    def duration(figure, expected, text):
        shown, off = read_duration(text)
        audit.compared += 1
        if (expected is None) != (shown is None) or (shown is not None and abs(expected - shown) > off + 0.01):
            audit.differences.append(f"{figure}, server {audit.name}: expected {expected}, shown {text}")

    lines = [[cell.strip().replace("\\", "") for cell in line.split(" | ")] for line in truth.text("report.md").split("\n") if line.startswith("| ")]
    [fleet] = [line for line in lines if line[0] == "| S"]
    observed = length(collected.pieces)
    side = audit_report_task(audit, truth, collected, fleet)
    counted, pieces = (collected.checkpoints, collected.pieces) if side is None else (side.checkpoints, side.pieces)
    duration("report, longest", max((each.ms for each in counted), default=None), fleet[4])
    duration("report, observed", observed, fleet[5])
    gaps = collected.end - collected.begin - observed
    audit.same("report, gaps", "none", fleet[6]) if gaps == 0 else duration("report, gaps", gaps, fleet[6])
    users = [each for each in truth.databases.values() if is_user(each)]
    automatic = sum(each["target_recovery_time_in_seconds"] == 0 for each in users)
    audit.same("report, automatic", f"{automatic} of {len(users)}", fleet[3])
    for line in lines[lines.index(fleet) + 1 :]:
        database = next((key for key, name in truth.names.items() if f"| {name}" == line[0]), None)
        if database is None:
            continue
        reaching = collected.of(database) if side is None else [each for each in side.reaching if each.database == database]
        own = statistics([each for each in counted if each.database == database], pieces, reaching)
        where = f"report, %s of {truth.names[database]}"
        audit.same(where % "checkpoints", own["checkpoints"], int(line[4].replace(",", "")))
        for name, text in (("p50_ms", line[5]), ("p95_ms", line[6]), ("max_ms", line[7])):
            if name == "p95_ms" and 0 < own["checkpoints"] < FEWEST_FOR_P95:
                audit.same(where % name, "–", text)
            else:
                duration(where % name, own[name], text)
        if own["checkpoints"] > 0 and "&lt;" not in line[8] and "<" not in line[8]:
            audit.rounded(where % "share", 100 * own["share_of_time_0_to_1"], line[8])
