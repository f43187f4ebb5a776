-- views: what several questions need. Run it once, after the tables have their names. Each statement ends with a semicolon at the end of a line.

-- 0 to 9,999.
CREATE OR REPLACE TEMP VIEW steps AS
WITH digits AS (
  SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9
)
SELECT CAST(a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS bigint) AS step_no
FROM digits AS a CROSS JOIN digits AS b CROSS JOIN digits AS c CROSS JOIN digits AS e;

-- Runs, and whether their collector's clock was ahead by a day, so that they are not the newest.
CREATE OR REPLACE TEMP VIEW known_runs AS
SELECT server, run_id, started_utc, ended_utc, outcome, reason, databases, automatic_databases,
       CASE WHEN unix_micros(started_utc) > unix_micros(current_timestamp) + 86400000000 THEN 1 ELSE 0 END AS is_ahead,
       CASE WHEN outcome = 'left out' THEN 1 ELSE 0 END AS is_left_out
FROM runs;

-- Gaps, each with its latest end. Around some kinds no pair is sure, others end when another run of the session began.
CREATE OR REPLACE TEMP VIEW known_gaps AS
SELECT server, capture_id, unix_micros(begin_utc) AS begin_us, max(unix_micros(end_utc)) AS end_us,
       kind IN ('events lost', 'clock moved back', 'damaged file', 'databases changed', 'ring buffer overwritten', 'files rolled over')
         AS spoils_throughout,
       kind IN ('session stopped', 'session dropped', 'session replaced', 'server restarted') AS ends_a_run,
       kind IN ('ring buffer overwritten', 'files rolled over') AS came_too_late
FROM gaps
GROUP BY server, capture_id, kind, begin_utc
HAVING max(unix_micros(end_utc)) > unix_micros(begin_utc);

-- What runs watched, without what the lake was told to forget.
CREATE OR REPLACE TEMP VIEW watches AS
SELECT r.server, r.capture_id, greatest(unix_micros(r.observed_from_utc), coalesce(f.until_us, 0)) AS from_us, unix_micros(r.observed_to_utc) AS to_us
FROM runs AS r
LEFT JOIN (SELECT server, capture_id, max(unix_micros(end_utc)) AS until_us FROM gaps WHERE kind = 'forgotten' GROUP BY server, capture_id) AS f
  ON f.server = r.server AND f.capture_id = r.capture_id
WHERE unix_micros(r.observed_to_utc) > greatest(unix_micros(r.observed_from_utc), coalesce(f.until_us, 0));

-- Time from one change to the next: how many runs watched it, and how many gaps were open.
CREATE OR REPLACE TEMP VIEW stretches AS
WITH watch_changes AS (
  SELECT server, capture_id, from_us AS at_us, 1 AS watch_change, 0 AS gap_change FROM watches
  UNION ALL
  SELECT server, capture_id, to_us AS at_us, -1 AS watch_change, 0 AS gap_change FROM watches
  UNION ALL
  SELECT server, capture_id, begin_us AS at_us, 0 AS watch_change, 1 AS gap_change FROM known_gaps
  UNION ALL
  SELECT server, capture_id, end_us AS at_us, 0 AS watch_change, -1 AS gap_change FROM known_gaps
),
watch_moments AS (
  SELECT server, capture_id, at_us, sum(watch_change) AS watch_change, sum(gap_change) AS gap_change FROM watch_changes GROUP BY server, capture_id, at_us
)
SELECT server, capture_id, at_us AS from_us,
       lead(at_us) OVER (PARTITION BY server, capture_id ORDER BY at_us) AS to_us,
       sum(watch_change) OVER (PARTITION BY server, capture_id ORDER BY at_us ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS watches,
       sum(gap_change) OVER (PARTITION BY server, capture_id ORDER BY at_us ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS gaps_open
FROM watch_moments;

-- Of a server that several lakes have: time that an earlier history of it observed. Each checkpoint of that time counts there.
CREATE OR REPLACE TEMP VIEW seen_before AS
WITH spans AS (
  SELECT server, server_name, capture_id, min(unix_micros(observed_from_utc)) AS from_us, max(unix_micros(observed_to_utc)) AS to_us
  FROM runs
  WHERE observed_to_utc > observed_from_utc AND server_name IS NOT NULL
  GROUP BY server, server_name, capture_id
)
SELECT l.server, l.capture_id, p.from_us, p.to_us
FROM spans AS l
JOIN spans AS e ON e.server = l.server AND e.server_name = l.server_name AND e.capture_id <> l.capture_id AND e.to_us > l.from_us
  AND (e.from_us < l.from_us OR (e.from_us = l.from_us AND e.capture_id < l.capture_id))
JOIN stretches AS p ON p.server = e.server AND p.capture_id = e.capture_id AND p.watches > 0 AND p.gaps_open = 0 AND p.to_us > l.from_us;

-- How many days after the one on which it begins a checkpoint can end.
CREATE OR REPLACE TEMP VIEW longest AS
WITH lengths AS (SELECT coalesce(max(unix_micros(end_utc) - unix_micros(begin_utc)), 0) AS length_us FROM checkpoints)
SELECT CAST((length_us - length_us % 86400000000) / 86400000000 AS bigint) + 1 AS days FROM lengths;

-- Gaps by each day on which a checkpoint that they touch can begin: rows are joined by the day, and no gap meets all checkpoints of a year.
CREATE OR REPLACE TEMP VIEW gap_days AS
SELECT g.server, g.capture_id, g.begin_us, g.end_us, g.spoils_throughout, g.ends_a_run,
       g.begin_us - g.begin_us % 86400000000 + (n.step_no - l.days) * 86400000000 AS day_us
FROM known_gaps AS g
CROSS JOIN longest AS l
JOIN steps AS n ON n.step_no * 86400000000 <= g.end_us - g.begin_us + g.begin_us % 86400000000 + l.days * 86400000000;

-- How long runs watched each server on each day (UTC), added up.
CREATE OR REPLACE TEMP VIEW watched_days AS
SELECT r.server, r.from_us - r.from_us % 86400000000 + n.step_no * 86400000000 AS day_us,
       sum(least(r.to_us, r.from_us - r.from_us % 86400000000 + (n.step_no + 1) * 86400000000)
         - greatest(r.from_us, r.from_us - r.from_us % 86400000000 + n.step_no * 86400000000)) AS watched_us
FROM watches AS r
JOIN steps AS n ON n.step_no * 86400000000 < r.to_us - r.from_us + r.from_us % 86400000000
GROUP BY r.server, r.from_us - r.from_us % 86400000000 + n.step_no * 86400000000;

-- Days of which compact has sums, unless runs watched more of the day since, or in another lake. They stand for its checkpoints, also where those were forgotten.
CREATE OR REPLACE TEMP VIEW summed AS
SELECT s.server, s.day_us, s.observed_us, s.gap_us, s.busy_us, s.sum_id
FROM (
  SELECT server, unix_micros(day_utc) AS day_us, observed_us, watched_us, gap_us, busy_us, sum_id,
         row_number() OVER (PARTITION BY server, day_utc ORDER BY observed_us DESC, CASE WHEN busy_us IS NULL THEN 1 ELSE 0 END, checkpoint_rows DESC, sum_id) AS place
  FROM server_days
) AS s
LEFT JOIN watched_days AS w ON w.server = s.server AND w.day_us = s.day_us
WHERE s.place = 1 AND (w.server IS NULL OR w.watched_us <= s.watched_us);

-- Those of them whose checkpoints reach into no day without sums.
CREATE OR REPLACE TEMP VIEW closed_days AS
SELECT d.server, d.day_us
FROM summed AS d
CROSS JOIN longest AS l
JOIN summed AS n ON n.server = d.server AND n.day_us >= d.day_us AND n.day_us <= d.day_us + l.days * 86400000000
GROUP BY d.server, d.day_us, l.days
HAVING count(*) = l.days + 1;

-- Checkpoints that a gap may have made of the begin of one and the end of another, or that an earlier history has too.
CREATE OR REPLACE TEMP VIEW doubtful AS
SELECT c.server, c.capture_id, c.begin_utc, c.end_utc
FROM checkpoints AS c
JOIN gap_days AS g ON g.server = c.server AND g.capture_id = c.capture_id AND g.day_us = unix_micros(c.begin_utc) - unix_micros(c.begin_utc) % 86400000000
WHERE CASE WHEN g.spoils_throughout THEN g.begin_us <= unix_micros(c.end_utc) AND g.end_us >= unix_micros(c.begin_utc)
           WHEN g.ends_a_run THEN g.end_us > unix_micros(c.begin_utc) AND g.end_us <= unix_micros(c.end_utc)
           ELSE g.begin_us >= unix_micros(c.begin_utc) AND g.end_us <= unix_micros(c.end_utc) END
UNION
SELECT c.server, c.capture_id, c.begin_utc, c.end_utc
FROM checkpoints AS c
JOIN seen_before AS b ON b.server = c.server AND b.capture_id = c.capture_id AND b.from_us <= unix_micros(c.begin_utc) AND b.to_us >= unix_micros(c.end_utc);

-- Checkpoints of which begin and end are surely of one.
CREATE OR REPLACE TEMP VIEW sound AS
SELECT c.server, c.database_id, c.database_name, c.duration_ms, unix_micros(c.begin_utc) AS begin_us, unix_micros(c.end_utc) AS end_us
FROM checkpoints AS c
LEFT JOIN doubtful AS g ON g.server = c.server AND g.capture_id = c.capture_id AND g.begin_utc = c.begin_utc AND g.end_utc = c.end_utc
WHERE g.server IS NULL;

-- Those of them that no sums stand for.
CREATE OR REPLACE TEMP VIEW open_checkpoints AS
SELECT c.server, c.database_id, c.database_name, c.duration_ms, unix_micros(c.begin_utc) AS begin_us, unix_micros(c.end_utc) AS end_us, c.is_system
FROM checkpoints AS c
LEFT JOIN closed_days AS d ON d.server = c.server AND d.day_us = unix_micros(c.begin_utc) - unix_micros(c.begin_utc) % 86400000000
LEFT JOIN doubtful AS g ON g.server = c.server AND g.capture_id = c.capture_id AND g.begin_utc = c.begin_utc AND g.end_utc = c.end_utc
WHERE d.server IS NULL AND g.server IS NULL;

-- Observed time of each server, in pieces that do not overlap.
CREATE OR REPLACE TEMP VIEW observed AS
WITH pieces AS (
  SELECT server, to_us,
         greatest(from_us, coalesce(max(to_us) OVER (PARTITION BY server ORDER BY from_us, to_us ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)) AS from_us
  FROM stretches
  WHERE watches > 0 AND gaps_open = 0 AND to_us IS NOT NULL
)
SELECT server, from_us, to_us FROM pieces WHERE from_us < to_us;

-- Sound checkpoints by their length: one a row, and of days with sums those from one length to the next together, the totals of a day on one of them.
CREATE OR REPLACE TEMP VIEW lengths AS
SELECT c.server, c.database_id, c.database_name, c.duration_ms AS from_ms, c.duration_ms AS to_ms, CAST(1 AS bigint) AS checkpoints,
       c.duration_ms AS total_ms, c.duration_ms AS longest_ms
FROM open_checkpoints AS c
WHERE NOT EXISTS (SELECT 1 FROM summed AS d WHERE d.server = c.server AND d.day_us = c.begin_us - c.begin_us % 86400000000)
UNION ALL
SELECT d.server, d.database_id, d.database_name, d.from_ms, d.to_ms, d.checkpoints, d.total_ms, d.longest_ms
FROM database_days AS d
JOIN summed AS s ON s.sum_id = d.sum_id
WHERE d.checkpoints > 0;

-- Sound checkpoints that began while their database used automatic ones, without those that a session asked for, and those that sums stand for.
CREATE OR REPLACE TEMP VIEW turns AS
WITH targets AS (
  SELECT server, database_id, database_name, value,
         CASE WHEN lag(seen_utc) OVER (PARTITION BY server, database_id, database_name ORDER BY seen_utc, value NULLS FIRST) IS NULL THEN 0
              ELSE unix_micros(seen_utc) END AS from_us,
         coalesce(lead(unix_micros(seen_utc)) OVER (PARTITION BY server, database_id, database_name ORDER BY seen_utc, value NULLS FIRST), 9223372036854775807) AS to_us
  FROM facts
  WHERE fact = 'target_recovery_time_seconds'
)
SELECT s.server, s.database_id, s.database_name, s.begin_us, s.end_us
FROM open_checkpoints AS s
JOIN targets AS t ON t.server = s.server AND t.database_id = s.database_id AND t.database_name = s.database_name AND s.begin_us >= t.from_us AND s.begin_us < t.to_us
WHERE t.value = '0' AND coalesce(s.is_system, 1) = 1;

-- Servers of which it was seen which databases use automatic checkpoints. Of the others nothing says how busy the task is.
CREATE OR REPLACE TEMP VIEW seen_targets AS
SELECT DISTINCT server FROM facts WHERE fact = 'target_recovery_time_seconds' AND value IS NOT NULL;

-- The newest value of each fact.
CREATE OR REPLACE TEMP VIEW latest AS
SELECT server, database_id, database_name, fact, value
FROM (
  SELECT server, database_id, database_name, fact, value,
         row_number() OVER (PARTITION BY server, database_id, database_name, fact ORDER BY seen_utc DESC, value DESC NULLS LAST) AS newest
  FROM facts
) AS numbered
WHERE newest = 1;

-- Observed time of each server on days without sums, cut at the days.
CREATE OR REPLACE TEMP VIEW open_days AS
SELECT o.server, o.from_us - o.from_us % 86400000000 + n.step_no * 86400000000 AS day_us,
       greatest(o.from_us, o.from_us - o.from_us % 86400000000 + n.step_no * 86400000000) AS from_us,
       least(o.to_us, o.from_us - o.from_us % 86400000000 + (n.step_no + 1) * 86400000000) AS to_us
FROM observed AS o
JOIN steps AS n ON n.step_no * 86400000000 < o.to_us - o.from_us + o.from_us % 86400000000
WHERE NOT EXISTS (
  SELECT 1 FROM summed AS d WHERE d.server = o.server AND d.day_us = o.from_us - o.from_us % 86400000000 + n.step_no * 86400000000
);

-- What was observed of each turn on days without sums. Joined by the day on which the turn began.
CREATE OR REPLACE TEMP VIEW open_turns AS
WITH listed AS (
  SELECT o.server, o.day_us, o.from_us, o.to_us, o.day_us - n.step_no * 86400000000 AS begin_day_us
  FROM open_days AS o
  CROSS JOIN longest AS l
  JOIN steps AS n ON n.step_no <= l.days
)
SELECT t.server, t.database_id, t.database_name, o.day_us, greatest(t.begin_us, o.from_us) AS from_us, least(t.end_us, o.to_us) AS to_us
FROM turns AS t
JOIN listed AS o ON o.server = t.server AND o.begin_day_us = t.begin_us - t.begin_us % 86400000000 AND t.begin_us < o.to_us AND t.end_us > o.from_us;

-- How long each server was observed on each day, and how long at least one turn ran then.
CREATE OR REPLACE TEMP VIEW busy_days AS
WITH pieces AS (
  SELECT server, day_us, to_us,
         greatest(from_us, coalesce(max(to_us) OVER (PARTITION BY server, day_us ORDER BY from_us, to_us ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)) AS from_us
  FROM open_turns
),
busy AS (
  SELECT server, day_us, sum(CASE WHEN from_us < to_us THEN to_us - from_us ELSE 0 END) AS busy_us FROM pieces GROUP BY server, day_us
),
seen AS (
  SELECT server, day_us, sum(to_us - from_us) AS observed_us FROM open_days GROUP BY server, day_us
)
SELECT s.server, s.day_us, CAST(s.observed_us AS bigint) AS observed_us, CAST(coalesce(b.busy_us, 0) AS bigint) AS busy_us
FROM seen AS s
LEFT JOIN busy AS b ON b.server = s.server AND b.day_us = s.day_us
UNION ALL
SELECT server, day_us, observed_us, busy_us FROM summed WHERE observed_us > 0;
