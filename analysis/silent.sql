-- silent: databases that are tracked and had no checkpoint. One row for each, the longest observed first.
-- Reads checkpoints, gaps, facts, runs and the sums of days. Tracked: the event session records the database, and did so when that was last read. Its observed time counts from when it
-- was first recorded. It is the dashboard's, to the last digit. Without a checkpoint: none at all in the lake, also none that a gap made doubtful.
-- No checkpoint means that nothing had to be written, that the database is not open, or that in a queue its turn never came. Which of them it is, is not said here.
WITH recorded AS (
  SELECT server, database_id, database_name, value, unix_micros(seen_utc) AS seen_us,
         min(unix_micros(seen_utc)) OVER (PARTITION BY server) AS server_us,
         max(CASE WHEN value = '0' THEN unix_micros(seen_utc) END) OVER (PARTITION BY server, database_id, database_name) AS unrecorded_us
  FROM facts
  WHERE fact = 'is_recorded' AND value IS NOT NULL
),
tracked AS (
  SELECT server, database_id, database_name, CASE WHEN min(seen_us) = min(server_us) THEN 0 ELSE min(seen_us) END AS since_us
  FROM recorded
  WHERE value = '1' AND seen_us > coalesce(unrecorded_us, 0)
  GROUP BY server, database_id, database_name
),
quiet AS (
  SELECT t.server, t.database_id, t.database_name, t.since_us, s.value AS state
  FROM tracked AS t
  JOIN latest AS s ON s.server = t.server AND s.database_id = t.database_id AND s.database_name = t.database_name AND s.fact = 'state' AND s.value <> 'GONE'
  WHERE NOT EXISTS (
    SELECT 1 FROM checkpoints AS c WHERE c.server = t.server AND c.database_id = t.database_id AND c.database_name = t.database_name
  )
  AND NOT EXISTS (
    SELECT 1 FROM database_days AS d WHERE d.server = t.server AND d.database_id = t.database_id AND d.database_name = t.database_name AND d.checkpoints > 0
  )
),
measured AS (
  SELECT q.server, q.database_id, q.database_name, q.state, CAST(sum(o.to_us - greatest(o.from_us, q.since_us)) AS bigint) AS observed_us
  FROM quiet AS q
  JOIN observed AS o ON o.server = q.server AND o.to_us > q.since_us
  GROUP BY q.server, q.database_id, q.database_name, q.state
)
SELECT m.server, m.database_id, m.database_name, m.state, t.value AS target_seconds, m.observed_us,
       CAST(m.observed_us AS double) / CAST(3600000000 AS double) AS observed_hours
FROM measured AS m
LEFT JOIN latest AS t ON t.server = m.server AND t.database_id = m.database_id AND t.database_name = m.database_name AND t.fact = 'target_recovery_time_seconds'
ORDER BY m.observed_us DESC, m.server, m.database_name, m.database_id
