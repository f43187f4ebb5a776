-- saturation: how busy the one task of automatic checkpoints was, on each server and day (UTC). One row for each day with observed time.
-- Reads checkpoints, gaps, facts and runs. Busy: at least one checkpoint of a database with automatic checkpoints ran (the union of their intervals).
-- NULL: it was never seen which databases are automatic. Observed: what the runs observed, less the gaps. Automatic: the target recovery time was 0 when the checkpoint began, as far as it was read by then.
-- To the last digit what the dashboard computes from the same intervals. The dashboard also leaves out checkpoints that ran beside the task, by hand or for a
-- backup, and counts what was seen of one that an edge of the observed time cuts; so its share can differ by those.
WITH days AS (
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
SELECT s.server, date '1970-01-01' + CAST(s.day_us / 86400000000 AS int) AS day_utc, s.observed_us,
       CASE WHEN k.server IS NOT NULL THEN s.busy_us END AS busy_us,
       CASE WHEN k.server IS NOT NULL THEN CAST(s.busy_us AS double) / s.observed_us END AS busy_share
FROM sums AS s
LEFT JOIN seen_targets AS k ON k.server = s.server
WHERE s.observed_us > 0
ORDER BY s.server, day_utc
