-- storms: the minutes in which checkpoints did most at once. The twenty worst minutes of each server.
-- Reads checkpoints and gaps. A checkpoint counts in each minute that it reaches into, with its part of that minute; one that lasts longer than 6 days is cut.
-- checkpoint_us adds up those parts: more than 60 seconds in a minute means that several ran at once. most_at_once is how many ran at the same moment.
-- The automatic ones run one after the other, so what runs at once is indirect, begun by hand, or for a backup.
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
digits AS (
  SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9
),
steps AS (
  SELECT CAST(a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS bigint) AS step_no FROM digits AS a CROSS JOIN digits AS b CROSS JOIN digits AS c CROSS JOIN digits AS e
),
first_minutes AS (
  SELECT server, database_id, begin_us, end_us, begin_us - begin_us % 60000000 AS minute_us FROM sound
),
parts AS (
  SELECT server, database_id, begin_us, end_us, minute_us FROM first_minutes
  UNION ALL
  SELECT f.server, f.database_id, f.begin_us, f.end_us, f.minute_us + n.step_no * 60000000 AS minute_us
  FROM first_minutes AS f
  JOIN steps AS n ON n.step_no > 0 AND f.minute_us + n.step_no * 60000000 < f.end_us
  WHERE f.minute_us + 60000000 < f.end_us
),
cuts AS (
  SELECT server, database_id, minute_us, greatest(begin_us, minute_us) AS from_us, least(end_us, minute_us + 60000000) AS to_us FROM parts
),
sums AS (
  SELECT server, minute_us, count(*) AS checkpoints, count(DISTINCT database_id) AS databases, CAST(sum(to_us - from_us) AS bigint) AS checkpoint_us
  FROM cuts
  GROUP BY server, minute_us
),
worst AS (
  SELECT server, minute_us, checkpoints, databases, checkpoint_us,
         row_number() OVER (PARTITION BY server ORDER BY checkpoint_us DESC, databases DESC, minute_us) AS rank_no
  FROM sums
),
changes AS (
  SELECT server, minute_us, from_us AS at_us, 1 AS change FROM cuts
  UNION ALL
  SELECT server, minute_us, to_us AS at_us, -1 AS change FROM cuts
),
moments AS (
  SELECT server, minute_us, at_us, sum(change) AS change FROM changes GROUP BY server, minute_us, at_us
),
levels AS (
  SELECT server, minute_us, sum(change) OVER (PARTITION BY server, minute_us ORDER BY at_us ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running
  FROM moments
),
peaks AS (
  SELECT server, minute_us, CAST(max(running) AS bigint) AS most_at_once FROM levels GROUP BY server, minute_us
)
SELECT w.server, w.rank_no, w.minute_us, w.checkpoints, w.databases, p.most_at_once, w.checkpoint_us
FROM worst AS w
JOIN peaks AS p ON p.server = w.server AND p.minute_us = w.minute_us
WHERE w.rank_no <= 20
ORDER BY w.server, w.rank_no
