-- cohort: which databases take the one task of automatic checkpoints. One row for each database that uses them now and had one, on each server the heaviest first.
-- Reads checkpoints, gaps, facts, runs and the sums of days. busy_us is the observed time in which a checkpoint of the database ran, while it used automatic ones.
-- share is of the server's observed time. If the session recorded the database all the time and nothing ran beside the task, it is the dashboard's, to the last digit.
-- share_of_task is of all that these databases took together; cumulative_share
-- adds up those before. is_heavy marks the fewest that take 80 per cent together; heavy_databases says how many they are.
-- left_share is what the other databases took of the observed time: what stays when this one and all before it leave. It is measured, and no forecast: in a
-- queue the databases that stay take more of the time that is freed. The dashboard forecasts a range, by a model that is not repeated here.
WITH automatic AS (
  SELECT t.server, t.database_id, t.database_name
  FROM latest AS t
  JOIN latest AS s ON s.server = t.server AND s.database_id = t.database_id AND s.database_name = t.database_name AND s.fact = 'state'
  WHERE t.fact = 'target_recovery_time_seconds' AND t.value = '0' AND s.value <> 'GONE'
),
pieces AS (
  SELECT server, database_id, database_name, to_us,
         greatest(from_us, coalesce(max(to_us) OVER (PARTITION BY server, database_id, database_name, day_us ORDER BY from_us, to_us ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)) AS from_us
  FROM open_turns
),
parts AS (
  SELECT server, database_id, database_name, 0 AS turns, CASE WHEN from_us < to_us THEN to_us - from_us ELSE 0 END AS busy_us FROM pieces
  UNION ALL
  SELECT t.server, t.database_id, t.database_name, 1 AS turns, 0 AS busy_us
  FROM turns AS t
  WHERE NOT EXISTS (SELECT 1 FROM summed AS d WHERE d.server = t.server AND d.day_us = t.begin_us - t.begin_us % 86400000000)
  UNION ALL
  SELECT d.server, d.database_id, d.database_name, d.turns, d.busy_us
  FROM database_days AS d
  JOIN summed AS s ON s.sum_id = d.sum_id
),
seen AS (
  SELECT server, sum(observed_us) AS observed_us
  FROM (SELECT server, to_us - from_us AS observed_us FROM open_days UNION ALL SELECT server, observed_us FROM summed) AS days
  GROUP BY server
),
sums AS (
  SELECT p.server, p.database_id, p.database_name, CAST(sum(p.turns) AS bigint) AS checkpoints,
         CAST(max(s.observed_us) AS bigint) AS observed_us, CAST(sum(p.busy_us) AS bigint) AS busy_us
  FROM parts AS p
  JOIN automatic AS a ON a.server = p.server AND a.database_id = p.database_id AND a.database_name = p.database_name
  JOIN seen AS s ON s.server = p.server
  GROUP BY p.server, p.database_id, p.database_name
  HAVING sum(p.turns) > 0
),
ordered AS (
  SELECT s.server, s.database_id, s.database_name, s.checkpoints, s.observed_us, s.busy_us,
         row_number() OVER (PARTITION BY s.server ORDER BY s.busy_us DESC, s.database_id, s.database_name) AS rank_no,
         CAST(sum(s.busy_us) OVER (PARTITION BY s.server ORDER BY s.busy_us DESC, s.database_id, s.database_name ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS bigint) AS cumulative_us,
         CAST(sum(s.busy_us) OVER (PARTITION BY s.server) AS bigint) AS task_us
  FROM sums AS s
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
