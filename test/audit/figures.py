"""The figures of docs/evidence.md, each from checkpoints, observed time and samples."""
from truth import busy, cut, is_in, length, ms, rank

HOUR, MINUTE, QUARTER = 3_600_000, 60_000, 900_000
BACK_TO_BACK = 120
SETTLES, MOST_BEFORE, FEWEST = 3 * MINUTE, 8 * HOUR, 3
# Of fewer checkpoints people are shown no p95.
FEWEST_FOR_P95 = 20


def statistics(checkpoints, pieces, reaching=None):
    """The figures of one database, by the names of the export. `reaching`: all that reach into the window, where it is a part."""
    durations = [each.ms for each in checkpoints]
    count, total, observed = len(durations), sum(durations), length(pieces)
    return {
        "checkpoints": count,
        "per_hour": sum(is_in(pieces, each.begin) for each in checkpoints) * HOUR / observed if observed else None,
        "average_ms": total / count if count else None,
        "p50_ms": rank(durations, 50),
        "p95_ms": rank(durations, 95),
        "p99_ms": rank(durations, 99),
        "max_ms": max(durations, default=None),
        "total_ms": total,
        "share_of_time_0_to_1": busy(checkpoints if reaching is None else reaching, pieces) / observed if observed else None,
    }


class Side:
    """The time before the changes, or after them."""

    def __init__(self, watched, pieces):
        self.pieces = pieces
        self.begin, self.end = (pieces[0][0], pieces[-1][1]) if pieces else (0, 0)
        self.observed = length(pieces)
        self.checkpoints = [each for each in watched.checkpoints if is_in(pieces, each.begin)]
        self.reaching = [each for each in watched.checkpoints if each.begin < self.end and each.end > self.begin]
        parts = [each for each in watched.cut if each.begin < self.end and each.end > self.begin]
        self.turns = [each for each in self.reaching if watched.is_turn(each)] + parts
        self.busy_share = busy(self.turns, pieces) / self.observed if self.observed else None

    def of(self, databases, is_server=False):
        own = [each for each in self.checkpoints if each.database in databases]
        figures = statistics(own, self.pieces)
        each_share = [self.share_of(database) for database in databases]
        rate, average = figures["per_hour"], figures["average_ms"]
        told = figures if len(own) >= FEWEST else dict.fromkeys(figures)
        return {
            "checkpoints_per_hour": rate,
            "average": told["average_ms"],
            "p95": figures["p95_ms"] if len(own) >= FEWEST_FOR_P95 else None,
            "longest": told["max_ms"],
            "seconds_per_hour": None if rate is None else rate * (average or 0) / 1000,
            "share_of_task": self.busy_share if is_server else sum(each_share),
        }

    def share_of(self, database):
        turns = [each for each in self.turns if each.database == database]
        own = turns or [each for each in self.reaching if each.database == database]
        return busy(own, self.pieces) / self.observed

    def longest_without(self, databases):
        longest = 0 if databases else None
        for database in databases:
            own = sorted((each for each in self.reaching if each.database == database), key=lambda each: each.begin)
            for a, b in self.pieces:
                free = a
                for each in own:
                    if a <= each.begin < b:
                        longest = max(longest, each.begin - free)
                    if each.begin < b:
                        free = max(free, min(each.end, b))
                longest = max(longest, b - free)
        return longest


def keep_last(pieces, most):
    kept = []
    for a, b in reversed(pieces):
        kept.insert(0, (max(a, b - most), b))
        most -= b - kept[0][0]
        if most <= 0:
            break
    return kept


def choose_sides(watched):
    """Before the first change and three minutes after the last; None without a change. The histories are too short for the same hours of two days."""
    if not watched.changes:
        return None
    first, last = min(each.earliest for each in watched.changes), max(each.latest for each in watched.changes)
    before = keep_last(cut(watched.pieces, 0, first), MOST_BEFORE)
    return Side(watched, before), Side(watched, cut(watched.pieces, last + SETTLES, watched.end))


def judged_part(watched):
    """The time that verdicts and the I/O page are of: since the last change, if what was changed had a twentieth of the task's time; None: all."""
    sides = choose_sides(watched)
    if sides is None:
        return None
    before = sides[0] if sides[0].observed > 0 else Side(watched, watched.pieces)
    changed = {each.database for each in watched.changes}
    own = [each for each in before.turns if each.database in changed]
    return sides[1] if own and busy(own, before.pieces) >= 0.05 * busy(before.turns, before.pieces) else None


class Stretch:
    def __init__(self, piece, begin, is_cut):
        self.piece, self.begin, self.end, self.is_cut, self.turns = piece, begin, begin, is_cut, []


def find_stretches(turns, pieces):
    """Work of the task without a pause, as far as it was seen."""
    stretches = []
    for turn in sorted(turns, key=lambda each: each.begin):
        for a, b in pieces:
            begin, end = max(a, turn.begin), min(b, turn.end)
            if not (turn.end > a or turn.begin == a) or turn.begin >= b:
                continue
            last = stretches[-1] if stretches else None
            if last is None or last.piece != a or begin - last.end > BACK_TO_BACK:
                last = Stretch(a, begin, begin - a <= BACK_TO_BACK)
                stretches.append(last)
            last.end = max(last.end, end)
            if turn.begin >= a and not turn.is_part:
                last.turns.append(turn)
            break
    return stretches


def delays(stretches):
    """Of each database how long after the task became busy its turns began."""
    behind = {}
    for stretch in stretches:
        for turn in stretch.turns:
            behind.setdefault(turn.database, []).extend([] if stretch.is_cut else [turn.begin - stretch.begin])
    return {
        database: [len(waits), rank(waits, 50), rank(waits, 95), max(waits, default=None)] for database, waits in behind.items()
    }


class Sample:
    """What was counted between two readings."""

    def __init__(self, begin, end, figures):
        self.begin, self.end, self.figures = begin, end, figures


def pair_samples(rows, names):
    """Differences of successive readings that may be compared."""
    samples, before = [], None
    for row in rows:
        at, ticks = ms(row["now_utc"]), int(row["ticks_ms"])
        now = {name: None if row[name] is None else int(row[name]) for name in names}
        if before is not None and before[2] == row["started_ticks_ms"] and at > before[0]:
            apart = ticks - before[1]
            is_near = apart <= 3 * MINUTE and abs(at - before[0] - apart) <= 1_000
            figures = {name: None if None in (now[name], before[3][name]) else now[name] - before[3][name] for name in names}
            if is_near and all(value is None or value >= 0 for value in figures.values()):
                samples.append(Sample(before[0], at, figures))
        before = (at, ticks, row["started_ticks_ms"], now)
    return samples


def sum_quarters(samples, begin, end, names):
    """Sums over the quarter hours that reach into the time, and how much of them was sampled."""
    first, last = begin // QUARTER * QUARTER, -(-end // QUARTER) * QUARTER
    sums, sampled = dict.fromkeys(names, 0), 0
    for sample in samples:
        part = min(sample.end, last) - max(sample.begin, first)
        if part <= 0:
            continue
        sampled += part
        for name in names:
            value = sample.figures[name]
            sums[name] = None if value is None or sums[name] is None else sums[name] + value * part / (sample.end - sample.begin)
    return sums, sampled


def latency_sides(samples, covered, doubtful, pieces, operations, stall):
    """(waits, operations, samples) of the samples that lie in checkpoints, and of those that lie outside; then how many are mixed."""
    sides, mixed = ([0, 0, 0], [0, 0, 0]), 0
    for sample in samples:
        long = sample.end - sample.begin
        seen = sum(length(cut([(sample.begin, sample.end)], a, b)) for a, b in pieces) == long
        in_doubt = length(cut(doubtful, sample.begin, sample.end)) > 0
        count, wait = sample.figures[operations], sample.figures[stall]
        if not seen or in_doubt or not count:
            continue
        ran = length(cut(covered, sample.begin, sample.end))
        side = sides[0] if ran >= 0.8 * long else sides[1] if long - ran >= 0.8 * long else None
        if side is None:
            mixed += 1
        else:
            side[0] += wait
            side[1] += count
            side[2] += 1
    return sides[0], sides[1], mixed
