-- saturation: how busy the one task of automatic checkpoints was, on each server and day (UTC). One row for each day with observed time.
-- Reads checkpoints, gaps, facts and runs. Busy: at least one checkpoint of a database with automatic checkpoints ran (the union of their intervals).
-- Observed: what the runs observed, less the gaps. Automatic: the target recovery time was 0 when the checkpoint began, as far as it was read by then.
-- To the last digit what the dashboard computes from the same intervals. The dashboard also leaves out checkpoints that ran beside the task, by hand or for a
-- backup; they are in here, so this share is never below the dashboard's.
WITH known_gaps AS (
  SELECT server, capture_id, unix_micros(begin_utc) AS begin_us, max(unix_micros(end_utc)) AS end_us,
         kind IN ('events lost', 'clock moved back', 'damaged file', 'databases changed', 'ring buffer overwritten') AS spoils_throughout
  FROM gaps
  GROUP BY server, capture_id, kind, begin_utc
  HAVING max(unix_micros(end_utc)) > unix_micros(begin_utc)
),
sound AS (
  SELECT c.server, c.database_id, c.database_name, c.duration_ms, unix_micros(c.begin_utc) AS begin_us, unix_micros(c.end_utc) AS end_us
  FROM checkpoints AS c
  WHERE NOT EXISTS (
    SELECT 1 FROM known_gaps AS g
    WHERE g.server = c.server AND g.capture_id = c.capture_id
      AND ((g.spoils_throughout AND g.begin_us <= unix_micros(c.end_utc) AND g.end_us >= unix_micros(c.begin_utc))
        OR (NOT g.spoils_throughout AND g.begin_us >= unix_micros(c.begin_utc) AND g.end_us <= unix_micros(c.end_utc)))
  )
),
watch_changes AS (
  SELECT server, capture_id, unix_micros(observed_from_utc) AS at_us, 1 AS watch_change, 0 AS gap_change FROM runs WHERE observed_to_utc > observed_from_utc
  UNION ALL
  SELECT server, capture_id, unix_micros(observed_to_utc) AS at_us, -1 AS watch_change, 0 AS gap_change FROM runs WHERE observed_to_utc > observed_from_utc
  UNION ALL
  SELECT server, capture_id, begin_us AS at_us, 0 AS watch_change, 1 AS gap_change FROM known_gaps
  UNION ALL
  SELECT server, capture_id, end_us AS at_us, 0 AS watch_change, -1 AS gap_change FROM known_gaps
),
watch_moments AS (
  SELECT server, capture_id, at_us, sum(watch_change) AS watch_change, sum(gap_change) AS gap_change FROM watch_changes GROUP BY server, capture_id, at_us
),
stretches AS (
  SELECT server, at_us AS from_us,
         lead(at_us) OVER (PARTITION BY server, capture_id ORDER BY at_us) AS to_us,
         sum(watch_change) OVER (PARTITION BY server, capture_id ORDER BY at_us ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS watches,
         sum(gap_change) OVER (PARTITION BY server, capture_id ORDER BY at_us ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS gaps_open
  FROM watch_moments
),
pieces AS (
  SELECT server, to_us,
         greatest(from_us, coalesce(max(to_us) OVER (PARTITION BY server ORDER BY from_us, to_us ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)) AS from_us
  FROM stretches
  WHERE watches > 0 AND gaps_open = 0 AND to_us IS NOT NULL
),
observed AS (
  SELECT server, from_us, to_us FROM pieces WHERE from_us < to_us
),
targets AS (
  SELECT server, database_id, database_name, value,
         CASE WHEN lag(seen_utc) OVER (PARTITION BY server, database_id, database_name ORDER BY seen_utc, value NULLS FIRST) IS NULL THEN 0
              ELSE unix_micros(seen_utc) END AS from_us,
         coalesce(lead(unix_micros(seen_utc)) OVER (PARTITION BY server, database_id, database_name ORDER BY seen_utc, value NULLS FIRST), 9223372036854775807) AS to_us
  FROM facts
  WHERE fact = 'target_recovery_time_seconds'
),
turns AS (
  SELECT s.server, s.database_id, s.database_name, s.begin_us, s.end_us
  FROM sound AS s
  JOIN targets AS t ON t.server = s.server AND t.database_id = s.database_id AND t.database_name = s.database_name AND s.begin_us >= t.from_us AND s.begin_us < t.to_us
  WHERE t.value = '0'
),
digits AS (
  SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9
),
steps AS (
  SELECT CAST(a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS bigint) AS step_no FROM digits AS a CROSS JOIN digits AS b CROSS JOIN digits AS c CROSS JOIN digits AS e
),
days AS (
  SELECT s.server, s.first_us + n.step_no * 86400000000 AS at_us
  FROM (SELECT server, min(from_us - from_us % 86400000000) AS first_us, max(to_us) AS last_us FROM observed GROUP BY server) AS s
  JOIN steps AS n ON s.first_us + n.step_no * 86400000000 < s.last_us
),
changes AS (
  SELECT server, from_us AS at_us, 1 AS observed_change, 0 AS busy_change FROM observed
  UNION ALL
  SELECT server, to_us AS at_us, -1 AS observed_change, 0 AS busy_change FROM observed
  UNION ALL
  SELECT server, begin_us AS at_us, 0 AS observed_change, 1 AS busy_change FROM turns
  UNION ALL
  SELECT server, end_us AS at_us, 0 AS observed_change, -1 AS busy_change FROM turns
  UNION ALL
  SELECT server, at_us, 0 AS observed_change, 0 AS busy_change FROM days
),
moments AS (
  SELECT server, at_us, sum(observed_change) AS observed_change, sum(busy_change) AS busy_change FROM changes GROUP BY server, at_us
),
levels AS (
  SELECT server, at_us,
         lead(at_us) OVER (PARTITION BY server ORDER BY at_us) - at_us AS length_us,
         sum(observed_change) OVER (PARTITION BY server ORDER BY at_us ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS observers,
         sum(busy_change) OVER (PARTITION BY server ORDER BY at_us ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running
  FROM moments
),
sums AS (
  SELECT server, at_us - at_us % 86400000000 AS day_us,
         CAST(sum(length_us) AS bigint) AS observed_us,
         CAST(sum(CASE WHEN running > 0 THEN length_us ELSE 0 END) AS bigint) AS busy_us
  FROM levels
  WHERE observers > 0
  GROUP BY server, at_us - at_us % 86400000000
)
SELECT server, date '1970-01-01' + CAST(day_us / 86400000000 AS int) AS day_utc, observed_us, busy_us,
       CAST(busy_us AS double) / observed_us AS busy_share
FROM sums
WHERE observed_us > 0
ORDER BY server, day_utc
