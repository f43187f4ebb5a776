-- offenders: which databases have the most and the longest checkpoints, on all servers. One row for each database with a checkpoint.
-- Reads checkpoints, gaps and the sums of days. Left out: checkpoints that a gap may have made of the begin of one and the end of another.
-- Percentiles are nearest ranks: a duration that was observed. Those of days with sums are never too low, and at most a quarter too high.
-- A database without a name was dropped before the server named it. Each other figure is the dashboard's, to the last digit.
WITH grouped AS (
  SELECT server, database_id, database_name, to_ms, sum(checkpoints) AS checkpoints, sum(total_ms) AS total_ms, max(longest_ms) AS longest_ms
  FROM lengths
  GROUP BY server, database_id, database_name, to_ms
),
ranked AS (
  SELECT server, database_id, database_name, to_ms, total_ms, longest_ms, checkpoints,
         sum(checkpoints) OVER (PARTITION BY server, database_id, database_name ORDER BY to_ms ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS rank_no,
         sum(checkpoints) OVER (PARTITION BY server, database_id, database_name) AS known
  FROM grouped
)
SELECT server, database_id, database_name,
       CAST(sum(checkpoints) AS bigint) AS checkpoints,
       CAST(sum(total_ms) AS bigint) AS total_ms,
       CAST(sum(total_ms) AS double) / CAST(sum(checkpoints) AS double) AS average_ms,
       least(min(CASE WHEN rank_no * 100 >= known * 50 THEN to_ms END), max(longest_ms)) AS p50_ms,
       least(min(CASE WHEN rank_no * 100 >= known * 95 THEN to_ms END), max(longest_ms)) AS p95_ms,
       least(min(CASE WHEN rank_no * 100 >= known * 99 THEN to_ms END), max(longest_ms)) AS p99_ms,
       max(longest_ms) AS longest_ms
FROM ranked
GROUP BY server, database_id, database_name
ORDER BY total_ms DESC, server, database_id, database_name NULLS FIRST
