-- fleet: one row for each server, the one that suffers most first: by the share of the time in which its checkpoint task was busy, then by its long checkpoints.
-- Reads checkpoints, gaps, facts, runs and the sums of days. busy_share is that of saturation, over all observed time. long_checkpoints took the recovery interval or longer: the
-- server writes a FlushCache message about each (on days with sums: exact if the interval is where a length begins, as 1, 2, 3, 4, 5, 10, 15, 20, 30 or 60 minutes are; else fewer). gap_us is time that was watched but may lack events. last_run_us is when its last run began, last_outcome how it ended.
-- databases counts those of users, as of the last run that saw them, and automatic_databases how many of them were automatic.
-- A server that was never read has its last run, and NULL for what nobody saw. Durations, counts and times are the dashboard's, to the last digit; for busy_share, see saturation.
WITH watched AS (
  SELECT server, to_us,
         greatest(from_us, coalesce(max(to_us) OVER (PARTITION BY server ORDER BY from_us, to_us ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)) AS from_us
  FROM stretches
  WHERE watches > 0 AND to_us IS NOT NULL
),
watched_times AS (
  SELECT w.server, sum(least(w.to_us, w.from_us - w.from_us % 86400000000 + (n.step_no + 1) * 86400000000)
         - greatest(w.from_us, w.from_us - w.from_us % 86400000000 + n.step_no * 86400000000)) AS watched_us
  FROM watched AS w
  JOIN steps AS n ON n.step_no * 86400000000 < w.to_us - w.from_us + w.from_us % 86400000000
  LEFT JOIN summed AS d ON d.server = w.server AND d.day_us = w.from_us - w.from_us % 86400000000 + n.step_no * 86400000000
  WHERE w.from_us < w.to_us AND d.server IS NULL
  GROUP BY w.server
),
parts AS (
  SELECT server, observed_us, busy_us, 0 AS gap_us FROM busy_days
  UNION ALL
  SELECT server, 0 AS observed_us, 0 AS busy_us, watched_us AS gap_us FROM watched_times
  UNION ALL
  SELECT server, 0 AS observed_us, 0 AS busy_us, 0 - (to_us - from_us) AS gap_us FROM open_days
  UNION ALL
  SELECT server, 0 AS observed_us, 0 AS busy_us, gap_us FROM summed
),
times AS (
  SELECT server, CAST(sum(observed_us) AS bigint) AS observed_us, CAST(coalesce(sum(busy_us), 0) AS bigint) AS busy_us, CAST(sum(gap_us) AS bigint) AS gap_us
  FROM parts
  GROUP BY server
),
intervals AS (
  SELECT server, CASE WHEN CAST(value AS bigint) > 0 THEN CAST(value AS bigint) * 60000 ELSE 60000 END AS interval_ms
  FROM latest
  WHERE fact = 'recovery_interval_minutes'
),
counts AS (
  SELECT s.server, CAST(sum(s.checkpoints) AS bigint) AS checkpoints, max(s.longest_ms) AS longest_ms,
         CAST(sum(CASE WHEN s.from_ms >= coalesce(i.interval_ms, 60000) THEN s.checkpoints ELSE 0 END) AS bigint) AS long_checkpoints
  FROM lengths AS s
  LEFT JOIN intervals AS i ON i.server = s.server
  GROUP BY s.server
),
settings AS (
  SELECT server, databases, automatic_databases, row_number() OVER (PARTITION BY server ORDER BY is_ahead, started_utc DESC, run_id DESC) AS newest
  FROM known_runs
  WHERE databases IS NOT NULL
),
last_runs AS (
  SELECT server, unix_micros(started_utc) AS last_run_us, outcome AS last_outcome, reason AS last_reason,
         row_number() OVER (PARTITION BY server ORDER BY is_ahead, is_left_out, started_utc DESC, run_id DESC) AS newest
  FROM known_runs
),
joined AS (
  SELECT r.server, t.observed_us, CASE WHEN k.server IS NOT NULL THEN t.busy_us END AS busy_us, t.gap_us,
         CASE WHEN t.observed_us > 0 AND k.server IS NOT NULL THEN CAST(t.busy_us AS double) / t.observed_us END AS busy_share,
         coalesce(n.checkpoints, CASE WHEN t.observed_us > 0 THEN 0 END) AS checkpoints,
         coalesce(n.long_checkpoints, CASE WHEN t.observed_us > 0 THEN 0 END) AS long_checkpoints, n.longest_ms,
         s.automatic_databases, s.databases, r.last_run_us, r.last_outcome, r.last_reason
  FROM last_runs AS r
  LEFT JOIN times AS t ON t.server = r.server
  LEFT JOIN seen_targets AS k ON k.server = r.server
  LEFT JOIN counts AS n ON n.server = r.server
  LEFT JOIN settings AS s ON s.server = r.server AND s.newest = 1
  WHERE r.newest = 1
)
SELECT row_number() OVER (ORDER BY busy_share DESC NULLS LAST, long_checkpoints DESC NULLS LAST, longest_ms DESC NULLS LAST, server) AS rank_no,
       server, busy_share, observed_us, busy_us, gap_us, checkpoints, long_checkpoints, longest_ms, automatic_databases, databases,
       last_run_us, last_outcome, last_reason
FROM joined
ORDER BY rank_no
