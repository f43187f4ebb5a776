-- fleet: one row for each server, the one that suffers most first: by the share of the time in which its checkpoint task was busy, then by its long checkpoints.
-- Reads checkpoints, gaps, facts and runs. busy_share is that of saturation, over all observed time. long_checkpoints took the recovery interval or longer: the
-- server writes a FlushCache message about each. gap_us is time that was watched but may lack events. last_run_us is when its last run began, last_outcome how it ended.
-- A server that was never read has its last run, and NULL for what nobody saw. Durations, counts and times are the dashboard's, to the last digit; for busy_share, see saturation.
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
latest AS (
  SELECT server, database_id, database_name, fact, value
  FROM (
    SELECT server, database_id, database_name, fact, value,
           row_number() OVER (PARTITION BY server, database_id, database_name, fact ORDER BY seen_utc DESC, value DESC NULLS LAST) AS newest
    FROM facts
  ) AS numbered
  WHERE newest = 1
),
changes AS (
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
  SELECT s.server, count(*) AS databases, CAST(sum(CASE WHEN t.value = '0' THEN 1 ELSE 0 END) AS bigint) AS automatic_databases
  FROM latest AS s
  LEFT JOIN latest AS t ON t.server = s.server AND t.database_id = s.database_id AND t.database_name = s.database_name AND t.fact = 'target_recovery_time_seconds'
  WHERE s.fact = 'state' AND s.value <> 'GONE'
  GROUP BY s.server
),
last_runs AS (
  SELECT server, unix_micros(started_utc) AS last_run_us, outcome AS last_outcome, reason AS last_reason,
         row_number() OVER (PARTITION BY server ORDER BY started_utc DESC, run_id DESC) AS newest
  FROM runs
),
joined AS (
  SELECT r.server, t.observed_us, t.busy_us, t.gap_us,
         CASE WHEN t.observed_us > 0 THEN CAST(t.busy_us AS double) / t.observed_us END AS busy_share,
         coalesce(n.checkpoints, 0) AS checkpoints, coalesce(n.long_checkpoints, 0) AS long_checkpoints, n.longest_ms,
         s.automatic_databases, s.databases, r.last_run_us, r.last_outcome, r.last_reason
  FROM last_runs AS r
  LEFT JOIN times AS t ON t.server = r.server
  LEFT JOIN lengths AS n ON n.server = r.server
  LEFT JOIN settings AS s ON s.server = r.server
  WHERE r.newest = 1
)
SELECT row_number() OVER (ORDER BY busy_share DESC NULLS LAST, long_checkpoints DESC, longest_ms DESC NULLS LAST, server) AS rank_no,
       server, busy_share, observed_us, busy_us, gap_us, checkpoints, long_checkpoints, longest_ms, automatic_databases, databases,
       last_run_us, last_outcome, last_reason
FROM joined
ORDER BY rank_no
