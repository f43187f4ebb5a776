-- before_after: what a changed target recovery time did to a database's checkpoints. One row for each change that was seen. A database that was dropped and
-- made again under its id and name has another create date: its target is its own, and no change.
-- Reads checkpoints, gaps, facts and runs. Before ends with the last observed time before the change was seen; after begins a quarter of an hour later, when the
-- pages that were dirty at the change are written. Each side reaches 42 days, at most to the next change. per_hour is of observed time. A side of which nothing
-- was observed has 0 as its observed time and NULL for its figures.
-- It is no proof of an effect: the work may have changed too. The dashboard compares other times (docs/evidence.md): from three minutes after the last change of all
-- databases, and the same hours of day.
WITH identified AS (
  -- The create date that was known when the target was seen: facts of one moment are of one database, and a later one has a later date.
  SELECT server, database_id, database_name, fact, value, unix_micros(seen_utc) AS seen_us,
         max(CASE WHEN fact = 'created_local' THEN value END) OVER (PARTITION BY server, database_id, database_name ORDER BY seen_utc) AS created_local
  FROM facts
  WHERE fact IN ('target_recovery_time_seconds', 'created_local') AND value IS NOT NULL
),
readings AS (
  SELECT server, database_id, database_name, value, seen_us,
         lag(value) OVER (PARTITION BY server, database_id, database_name, created_local ORDER BY seen_us, value) AS value_before
  FROM identified
  WHERE fact = 'target_recovery_time_seconds'
),
bounds AS (
  SELECT r.server, r.database_id, r.database_name, r.seen_us AS changed_us, r.value_before AS from_seconds, r.value AS to_seconds,
         coalesce(max(o.to_us), r.seen_us) AS not_before_us
  FROM readings AS r
  LEFT JOIN observed AS o ON o.server = r.server AND o.to_us < r.seen_us
  WHERE r.value_before <> r.value
  GROUP BY r.server, r.database_id, r.database_name, r.seen_us, r.value_before, r.value
),
neighbours AS (
  SELECT server, database_id, database_name, changed_us, from_seconds, to_seconds, not_before_us,
         lag(changed_us) OVER (PARTITION BY server, database_id, database_name ORDER BY changed_us, to_seconds) AS previous_us,
         lead(not_before_us) OVER (PARTITION BY server, database_id, database_name ORDER BY changed_us, to_seconds) AS next_us
  FROM bounds
),
sides AS (
  SELECT server, database_id, database_name, changed_us, from_seconds, to_seconds, 'before' AS side,
         greatest(changed_us - 3628800000000, coalesce(previous_us + 900000000, 0)) AS from_us, not_before_us AS to_us
  FROM neighbours
  UNION ALL
  SELECT server, database_id, database_name, changed_us, from_seconds, to_seconds, 'after' AS side,
         changed_us + 900000000 AS from_us, least(changed_us + 3628800000000, coalesce(next_us, 9223372036854775807)) AS to_us
  FROM neighbours
),
observed_sides AS (
  SELECT s.server, s.database_id, s.database_name, s.changed_us, s.from_seconds, s.to_seconds, s.side,
         -- Where no observed time meets the side, its ends are NULL, which least and greatest pass over.
         CAST(coalesce(sum(CASE WHEN o.server IS NOT NULL THEN least(o.to_us, s.to_us) - greatest(o.from_us, s.from_us) END), 0) AS bigint) AS observed_us
  FROM sides AS s
  LEFT JOIN observed AS o ON o.server = s.server AND o.from_us < s.to_us AND o.to_us > s.from_us AND s.from_us < s.to_us
  GROUP BY s.server, s.database_id, s.database_name, s.changed_us, s.from_seconds, s.to_seconds, s.side
),
counted AS (
  SELECT s.server, s.database_id, s.database_name, s.changed_us, s.to_seconds, s.side, c.duration_ms,
         CASE WHEN o.server IS NULL THEN 0 ELSE 1 END AS is_observed,
         row_number() OVER (PARTITION BY s.server, s.database_id, s.database_name, s.changed_us, s.to_seconds, s.side ORDER BY c.duration_ms) AS rank_no,
         count(*) OVER (PARTITION BY s.server, s.database_id, s.database_name, s.changed_us, s.to_seconds, s.side) AS known
  FROM sides AS s
  JOIN sound AS c ON c.server = s.server AND c.database_id = s.database_id AND c.database_name = s.database_name AND c.begin_us >= s.from_us AND c.begin_us < s.to_us
  LEFT JOIN observed AS o ON o.server = c.server AND c.begin_us >= o.from_us AND c.begin_us < o.to_us
),
figures AS (
  SELECT server, database_id, database_name, changed_us, to_seconds, side,
         count(*) AS checkpoints, sum(is_observed) AS observed_checkpoints,
         CAST(sum(duration_ms) AS double) / count(*) AS average_ms,
         min(CASE WHEN rank_no * 100 >= known * 95 THEN duration_ms END) AS p95_ms
  FROM counted
  GROUP BY server, database_id, database_name, changed_us, to_seconds, side
),
measured AS (
  SELECT o.server, o.database_id, o.database_name, o.changed_us, o.from_seconds, o.to_seconds, o.side, o.observed_us,
         coalesce(f.checkpoints, CASE WHEN o.observed_us > 0 THEN 0 END) AS checkpoints, f.average_ms, f.p95_ms,
         CASE WHEN o.observed_us > 0 THEN CAST(coalesce(f.observed_checkpoints, 0) AS double) / (CAST(o.observed_us AS double) / CAST(3600000000 AS double)) END AS per_hour
  FROM observed_sides AS o
  LEFT JOIN figures AS f ON f.server = o.server AND f.database_id = o.database_id AND f.database_name = o.database_name
    AND f.changed_us = o.changed_us AND f.to_seconds = o.to_seconds AND f.side = o.side
)
SELECT server, database_id, database_name, changed_us, from_seconds, to_seconds,
       max(CASE WHEN side = 'before' THEN observed_us END) AS before_observed_us,
       max(CASE WHEN side = 'before' THEN checkpoints END) AS before_checkpoints,
       max(CASE WHEN side = 'before' THEN per_hour END) AS before_per_hour,
       max(CASE WHEN side = 'before' THEN average_ms END) AS before_average_ms,
       max(CASE WHEN side = 'before' THEN p95_ms END) AS before_p95_ms,
       max(CASE WHEN side = 'after' THEN observed_us END) AS after_observed_us,
       max(CASE WHEN side = 'after' THEN checkpoints END) AS after_checkpoints,
       max(CASE WHEN side = 'after' THEN per_hour END) AS after_per_hour,
       max(CASE WHEN side = 'after' THEN average_ms END) AS after_average_ms,
       max(CASE WHEN side = 'after' THEN p95_ms END) AS after_p95_ms
FROM measured
GROUP BY server, database_id, database_name, changed_us, from_seconds, to_seconds
ORDER BY server, database_name, database_id, changed_us, to_seconds
