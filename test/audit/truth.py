"""What the simulated server knows of itself: its ledger of checkpoints, its looks and samples, its settings. No formula of the product is in here."""
import csv
import datetime
import json
import re

EPOCH = datetime.datetime(1970, 1, 1)
LOSES_WITHIN = ("events lost",)
NEW_RUN = ("session stopped", "server restarted")


def ms(text, offset_minutes=0):
    """Milliseconds of UTC from the server's text of a moment; at an offset if it is of its wall clock."""
    if text is None:
        return None
    moment = datetime.datetime.fromisoformat(text.rstrip("Z")[:26])
    return (moment - EPOCH) // datetime.timedelta(milliseconds=1) - offset_minutes * 60_000


class Look:
    """One answer of the server about the event session."""

    def __init__(self, row):
        offset = int(row["utc_offset_minutes"])
        self.at = ms(row["now_utc"])
        self.runs = row["is_running"] == "1"
        self.run_began = ms(row["started_local"], offset)
        self.server_began = row["server_started_local"]
        self.lost = int(row["dropped_events"] or 0) + int(row["dropped_buffers"] or 0)
        self.lost_buffers = int(row["dropped_buffers"] or 0)
        self.lag = 2 * int(row["dispatch_latency_ms"] or 30_000) + 5_000


class Gap:
    def __init__(self, kind, begin, end):
        self.kind, self.begin, self.end = kind, begin, max(begin, end)

    def key(self):
        return self.kind, self.begin, self.end


def find_gaps(looks):
    """Gaps between looks, from the first at which the session ran."""
    gaps = []
    good = None
    for look in looks:
        if good is None:
            good = look if look.runs else None
            continue
        same = look.runs and look.run_began == good.run_began and look.server_began == good.server_began
        if same:
            if look.lost > good.lost:
                gaps.append(Gap("events lost", good.at - (good.lag if look.lost_buffers > good.lost_buffers else 0), look.at))
        elif not (good.at == look.at and not look.runs):
            restarted = look.server_began != good.server_began
            kind, begin = "server restarted" if restarted else "session stopped", good.at - (good.lag if restarted else 0)
            # A gap that lasts is found again at each look, with a later end.
            gaps = [gap for gap in gaps if (gap.kind, gap.begin) != (kind, begin)]
            gaps.append(Gap(kind, begin, look.run_began if look.runs else look.at))
            if look.runs and look.lost > 0:
                gaps.append(Gap("events lost", look.run_began, look.at))
        if look.runs:
            good = look
    return gaps


class Checkpoint:
    is_part = False

    def __init__(self, database, begin, end, kind, task):
        self.database, self.begin, self.end, self.kind, self.task = database, begin, end, kind, task
        self.ms = end - begin
        # By a session, not by the engine: no turn of the task.
        self.is_asked = kind in ("manual", "backup")

    def is_doubtful(self, gaps):
        return any(self._is_doubted_by(gap) for gap in gaps if gap.begin < gap.end)

    def _is_doubted_by(self, gap):
        if gap.kind in LOSES_WITHIN:
            return gap.begin <= self.end and gap.end >= self.begin
        if gap.kind in NEW_RUN:
            return self.begin < gap.end <= self.end
        return self.begin <= gap.begin and gap.end <= self.end


def cut(pieces, begin, end):
    return [(max(a, begin), min(b, end)) for a, b in pieces if max(a, begin) < min(b, end)]


def subtract(pieces, gaps):
    for gap in gaps:
        pieces = [each for a, b in pieces for each in ((a, min(b, gap.begin)), (max(a, gap.end), b)) if each[0] < each[1]]
    return pieces


def length(pieces):
    return sum(b - a for a, b in pieces)


def union(intervals):
    joined = []
    for begin, end in sorted(intervals):
        if joined and begin <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([begin, end])
    return [tuple(each) for each in joined]


def busy(checkpoints, pieces):
    """Time of the pieces in which one or more of these ran."""
    covered = union((each.begin, each.end) for each in checkpoints)
    return sum(length(cut(covered, a, b)) for a, b in pieces)


def is_in(pieces, moment):
    return any(a <= moment < b for a, b in pieces)


def rank(durations, percent):
    """The nearest rank."""
    ordered = sorted(durations)
    return ordered[-(-len(ordered) * percent // 100) - 1] if ordered else None


class Watched:
    """What one watcher of the session could see: the window, or the command line."""

    def __init__(self, truth, who, until=None):
        self.looks = [Look(row) for row in truth.heard(who, "event-session")]
        running = [look for look in self.looks if look.runs]
        self.begin, self.end = running[0].run_began, self.looks[-1].at
        self.gaps = find_gaps(self.looks)
        self.pieces = subtract([(self.begin, self.end)], self.gaps)
        # What happened in the last seconds waits: an earlier event may still come.
        settled = self.end - self.looks[-1].lag
        seen = [each for each in truth.recorded if each.begin >= self.begin and each.end < settled]
        self.doubtful = [each for each in seen if each.is_doubtful(self.gaps)]
        self.checkpoints = [each for each in seen if not each.is_doubtful(self.gaps)]

        self.cut = self.find_cut(truth, settled)

    def is_turn(self, checkpoint):
        return checkpoint.kind == "automatic"

    def find_cut(self, truth, settled):
        """The seen parts of what the start, the stop, a gap or the end of the recording cut, as if they were turns."""
        runs = {run["run"]: run for run in truth.plain["runs"]}
        whole = {each["number"]: each for each in truth.plain["checkpoints"]}
        found = []
        for each in truth.captured:
            began, ended, run = each["beginUtcMs"], each["endUtcMs"], runs[each["run"]]
            stopped = min(run["stoppedUtcMs"] or settled, settled if run["stoppedUtcMs"] is None else self.end)
            if began is None and whole[each["number"]]["beginUtcMs"] <= run["startedUtcMs"]:
                found.append(Checkpoint(each["databaseId"], run["startedUtcMs"], ended, each["kind"], None))
            elif (ended is None or ended >= settled) and began < stopped and whole.get(each["number"], {"endUtcMs": stopped})["endUtcMs"] >= stopped:
                found.append(Checkpoint(each["databaseId"], began, stopped, each["kind"], None))
        parts = [part for each in found for part in self.clip(each) if truth.is_automatic(part) and self.is_believed(truth, part)]
        for part in parts:
            part.is_part = True
        return parts

    def clip(self, each):
        return [Checkpoint(each.database, begin, end, each.kind, None) for begin, end in cut(self.pieces, each.begin, each.end)]

    def is_believed(self, truth, part):
        """The other event may have been lost: then checkpoints lie in between, or the part is longer than any."""
        own = [each for each in self.checkpoints if truth.is_automatic(each)]
        at_begin = any(a == part.begin for a, _ in self.pieces)
        apart = (each.begin - part.end if at_begin else part.begin - each.end for each in own)
        longest = max((each.ms for each in own), default=0) * (2 if any(0 <= ms <= 120 for ms in apart) else 1)
        return 1 < part.ms <= longest and not any(each.begin < part.end and each.end > part.begin for each in own)

    def of(self, database):
        return [each for each in self.checkpoints if each.database == database]


class Change:
    """A change of a target recovery time: when at the earliest and at the latest, from and to how many seconds."""

    def __init__(self, database, earliest, latest, before, now):
        self.database, self.earliest, self.latest, self.before, self.now = database, earliest, latest, before, now


class Truth:
    def __init__(self, folder):
        self.folder = folder
        with open(folder + "/truth.json", encoding="utf8") as file:
            self.plain = json.load(file)
        with open(folder + "/shown.json", encoding="utf8") as file:
            self.shown = json.load(file)
        ended = {each["number"]: each for each in self.plain["checkpoints"]}
        self.captured = self.plain["captured"]
        # Both halves in one run: only then did the session record a checkpoint.
        self.recorded = [
            Checkpoint(each["databaseId"], each["beginUtcMs"], each["endUtcMs"], each["kind"], ended[each["number"]]["activityId"])
            for each in self.captured
            if each["beginUtcMs"] is not None and each["endUtcMs"] is not None
        ]
        self.databases = {row["database_id"]: row for row in self.plain["databases"]}
        self.names = {number: row["name"] for number, row in self.databases.items()}
        self.changes = self.plain["changes"]

    def heard(self, who, name):
        """The server's answers to one question, each row with the names of its columns."""
        for heard in self.plain["heard"]:
            if heard["who"] != who:
                continue
            for asked, answer in zip(heard["name"].split(", "), heard["sets"]):
                if asked == name:
                    for row in answer["rows"]:
                        yield dict(zip(answer["columns"], row))

    def list_changes(self):
        """As the error log tells them, to the moment."""
        return [Change(each["databaseId"], each["atUtcMs"], each["atUtcMs"], each["fromSeconds"], each["toSeconds"]) for each in self.changes]

    def target_at(self, database, moment):
        """Seconds of the target recovery time of a database at a moment."""
        own = [each for each in self.changes if each["databaseId"] == database]
        before = [each["toSeconds"] for each in own if each["atUtcMs"] <= moment]
        after = [each["fromSeconds"] for each in own if each["atUtcMs"] > moment]
        return before[-1] if before else after[0] if after else self.databases[database]["target_recovery_time_in_seconds"]

    def is_automatic(self, checkpoint):
        return self.target_at(checkpoint.database, checkpoint.begin) == 0

    def csv(self, name):
        with open(f"{self.folder}/{name}", encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))

    def text(self, name):
        with open(f"{self.folder}/{name}", encoding="utf8") as file:
            return file.read()

    def table(self, page, name):
        # A table without rows is left out.
        tables = [table for table in self.shown["pages"][page]["tables"] if table["id"] == name]
        return tables[0] if tables else {"rows": [], "columns": []}


def number(text):
    """The figure in a text of the screen: `8.2 %`, `1,234`."""
    found = re.search(r"-?[\d,]*\.?\d+", text)
    return float(found.group().replace(",", "")) if found else None
