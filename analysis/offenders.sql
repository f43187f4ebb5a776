-- offenders: which databases have the most and the longest checkpoints, on all servers. One row for each database with a checkpoint.
-- Reads checkpoints and gaps. Left out: checkpoints that a gap may have made of the begin of one and the end of another.
-- Percentiles are nearest ranks: a duration that was observed. A database without a name was dropped before the server named it.
-- Each figure is the dashboard's, to the last digit.
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
ranked AS (
  SELECT server, database_id, database_name, duration_ms,
         row_number() OVER (PARTITION BY server, database_id, database_name ORDER BY duration_ms) AS rank_no,
         count(*) OVER (PARTITION BY server, database_id, database_name) AS known
  FROM sound
)
SELECT server, database_id, database_name,
       count(*) AS checkpoints,
       CAST(sum(duration_ms) AS bigint) AS total_ms,
       CAST(sum(duration_ms) AS double) / count(*) AS average_ms,
       min(CASE WHEN rank_no * 100 >= known * 50 THEN duration_ms END) AS p50_ms,
       min(CASE WHEN rank_no * 100 >= known * 95 THEN duration_ms END) AS p95_ms,
       min(CASE WHEN rank_no * 100 >= known * 99 THEN duration_ms END) AS p99_ms,
       max(duration_ms) AS longest_ms
FROM ranked
GROUP BY server, database_id, database_name
ORDER BY total_ms DESC, server, database_id, database_name NULLS FIRST
