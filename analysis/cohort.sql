-- cohort: which databases take the one task of automatic checkpoints. One row for each database that uses them now and had one, on each server the heaviest first.
-- Reads checkpoints, gaps, facts and runs. busy_us is the observed time in which a checkpoint of the database ran, while it used automatic ones.
-- share is of the server's observed time. If the session recorded the database all the time and nothing ran beside the task, it is the dashboard's, to the last digit.
-- share_of_task is of all that these databases took together; cumulative_share
-- adds up those before. is_heavy marks the fewest that take 80 per cent together; heavy_databases says how many they are.
-- left_share is what the other databases took of the observed time: what stays when this one and all before it leave. It is measured, and no forecast: in a
-- queue the databases that stay take more of the time that is freed. The dashboard forecasts a range, by a model that is not repeated here.
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
automatic AS (
  SELECT t.server, t.database_id, t.database_name
  FROM latest AS t
  JOIN latest AS s ON s.server = t.server AND s.database_id = t.database_id AND s.database_name = t.database_name AND s.fact = 'state'
  WHERE t.fact = 'target_recovery_time_seconds' AND t.value = '0' AND s.value <> 'GONE'
),
members AS (
  SELECT t.server, t.database_id, t.database_name, t.begin_us, t.end_us
  FROM turns AS t
  JOIN automatic AS a ON a.server = t.server AND a.database_id = t.database_id AND a.database_name = t.database_name
),
counts AS (
  SELECT server, database_id, database_name, count(*) AS checkpoints FROM members GROUP BY server, database_id, database_name
),
changes AS (
  SELECT server, database_id, database_name, begin_us AS at_us, 0 AS observed_change, 1 AS busy_change FROM members
  UNION ALL
  SELECT server, database_id, database_name, end_us AS at_us, 0 AS observed_change, -1 AS busy_change FROM members
  UNION ALL
  SELECT o.server, c.database_id, c.database_name, o.from_us AS at_us, 1 AS observed_change, 0 AS busy_change FROM observed AS o JOIN counts AS c ON c.server = o.server
  UNION ALL
  SELECT o.server, c.database_id, c.database_name, o.to_us AS at_us, -1 AS observed_change, 0 AS busy_change FROM observed AS o JOIN counts AS c ON c.server = o.server
),
moments AS (
  SELECT server, database_id, database_name, at_us, sum(observed_change) AS observed_change, sum(busy_change) AS busy_change
  FROM changes
  GROUP BY server, database_id, database_name, at_us
),
levels AS (
  SELECT server, database_id, database_name,
         lead(at_us) OVER (PARTITION BY server, database_id, database_name ORDER BY at_us) - at_us AS length_us,
         sum(observed_change) OVER (PARTITION BY server, database_id, database_name ORDER BY at_us ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS observers,
         sum(busy_change) OVER (PARTITION BY server, database_id, database_name ORDER BY at_us ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running
  FROM moments
),
sums AS (
  SELECT server, database_id, database_name,
         CAST(sum(length_us) AS bigint) AS observed_us,
         CAST(sum(CASE WHEN running > 0 THEN length_us ELSE 0 END) AS bigint) AS busy_us
  FROM levels
  WHERE observers > 0 AND length_us > 0
  GROUP BY server, database_id, database_name
),
ordered AS (
  SELECT s.server, s.database_id, s.database_name, c.checkpoints, s.observed_us, s.busy_us,
         row_number() OVER (PARTITION BY s.server ORDER BY s.busy_us DESC, s.database_id, s.database_name) AS rank_no,
         CAST(sum(s.busy_us) OVER (PARTITION BY s.server ORDER BY s.busy_us DESC, s.database_id, s.database_name ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS bigint) AS cumulative_us,
         CAST(sum(s.busy_us) OVER (PARTITION BY s.server) AS bigint) AS task_us
  FROM sums AS s
  JOIN counts AS c ON c.server = s.server AND c.database_id = s.database_id AND c.database_name = s.database_name
),
marked AS (
  SELECT server, database_id, database_name, checkpoints, observed_us, busy_us, rank_no, cumulative_us, task_us,
         (cumulative_us - busy_us) * 10 < task_us * 8 AND busy_us > 0 AS is_heavy
  FROM ordered
)
SELECT server, rank_no, database_id, database_name, checkpoints, observed_us, busy_us,
       CAST(busy_us AS double) / observed_us AS share,
       CASE WHEN task_us > 0 THEN CAST(busy_us AS double) / task_us END AS share_of_task,
       CASE WHEN task_us > 0 THEN CAST(cumulative_us AS double) / task_us END AS cumulative_share,
       is_heavy,
       CAST(sum(CASE WHEN is_heavy THEN 1 ELSE 0 END) OVER (PARTITION BY server) AS bigint) AS heavy_databases,
       CAST(task_us - cumulative_us AS double) / observed_us AS left_share
FROM marked
ORDER BY server, rank_no
