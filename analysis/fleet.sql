-- fleet: one row for each server, the one that suffers most first: by the share of the time in which its checkpoint task was busy, then by its long checkpoints.
-- Reads checkpoints, gaps, facts and runs. busy_share is that of saturation, over all observed time. long_checkpoints took the recovery interval or longer: the
-- server writes a FlushCache message about each. gap_us is time that was watched but may lack events. last_run_us is when its last run began, last_outcome how it ended.
-- databases counts those of users, as of the last run that saw them, and automatic_databases how many of them were automatic.
-- A server that was never read has its last run, and NULL for what nobody saw. Durations, counts and times are the dashboard's, to the last digit; for busy_share, see saturation.
WITH changes AS (
  SELECT server, from_us AS at_us, 1 AS watched_change, 0 AS observed_change, 0 AS busy_change FROM stretches WHERE watches > 0 AND to_us IS NOT NULL
  UNION ALL
  SELECT server, to_us AS at_us, -1 AS watched_change, 0 AS observed_change, 0 AS busy_change FROM stretches WHERE watches > 0 AND to_us IS NOT NULL
  UNION ALL
  SELECT server, from_us AS at_us, 0 AS watched_change, 1 AS observed_change, 0 AS busy_change FROM observed
  UNION ALL
  SELECT server, to_us AS at_us, 0 AS watched_change, -1 AS observed_change, 0 AS busy_change FROM observed
  UNION ALL
  SELECT server, begin_us AS at_us, 0 AS watched_change, 0 AS observed_change, 1 AS busy_change FROM turns
  UNION ALL
  SELECT server, end_us AS at_us, 0 AS watched_change, 0 AS observed_change, -1 AS busy_change FROM turns
),
moments AS (
  SELECT server, at_us, sum(watched_change) AS watched_change, sum(observed_change) AS observed_change, sum(busy_change) AS busy_change
  FROM changes
  GROUP BY server, at_us
),
levels AS (
  SELECT server,
         lead(at_us) OVER (PARTITION BY server ORDER BY at_us) - at_us AS length_us,
         sum(watched_change) OVER (PARTITION BY server ORDER BY at_us ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS watches,
         sum(observed_change) OVER (PARTITION BY server ORDER BY at_us ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS observers,
         sum(busy_change) OVER (PARTITION BY server ORDER BY at_us ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running
  FROM moments
),
times AS (
  SELECT server,
         CAST(sum(CASE WHEN observers > 0 THEN length_us ELSE 0 END) AS bigint) AS observed_us,
         CAST(sum(CASE WHEN watches > 0 AND observers = 0 THEN length_us ELSE 0 END) AS bigint) AS gap_us,
         CAST(sum(CASE WHEN observers > 0 AND running > 0 THEN length_us ELSE 0 END) AS bigint) AS busy_us
  FROM levels
  GROUP BY server
),
intervals AS (
  SELECT server, CASE WHEN CAST(value AS bigint) > 0 THEN CAST(value AS bigint) * 60000 ELSE 60000 END AS interval_ms
  FROM latest
  WHERE fact = 'recovery_interval_minutes'
),
lengths AS (
  SELECT s.server, count(*) AS checkpoints, max(s.duration_ms) AS longest_ms,
         CAST(sum(CASE WHEN s.duration_ms >= coalesce(i.interval_ms, 60000) THEN 1 ELSE 0 END) AS bigint) AS long_checkpoints
  FROM sound AS s
  LEFT JOIN intervals AS i ON i.server = s.server
  GROUP BY s.server
),
settings AS (
  SELECT server, databases, automatic_databases, row_number() OVER (PARTITION BY server ORDER BY started_utc DESC, run_id DESC) AS newest
  FROM runs
  WHERE databases IS NOT NULL
),
last_runs AS (
  SELECT server, unix_micros(started_utc) AS last_run_us, outcome AS last_outcome, reason AS last_reason,
         row_number() OVER (PARTITION BY server ORDER BY started_utc DESC, run_id DESC) AS newest
  FROM runs
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
  LEFT JOIN lengths AS n ON n.server = r.server
  LEFT JOIN settings AS s ON s.server = r.server AND s.newest = 1
  WHERE r.newest = 1
)
SELECT row_number() OVER (ORDER BY busy_share DESC NULLS LAST, long_checkpoints DESC NULLS LAST, longest_ms DESC NULLS LAST, server) AS rank_no,
       server, busy_share, observed_us, busy_us, gap_us, checkpoints, long_checkpoints, longest_ms, automatic_databases, databases,
       last_run_us, last_outcome, last_reason
FROM joined
ORDER BY rank_no
