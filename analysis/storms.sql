-- storms: the minutes in which checkpoints did most at once. The twenty worst minutes of each server.
-- Reads checkpoints and gaps. A checkpoint counts in each minute that it reaches into, with its part of that minute; one that lasts longer than 6 days is cut.
-- checkpoint_us adds up those parts: more than 60 seconds in a minute means that several ran at once. most_at_once is how many ran at the same moment.
-- The automatic ones run one after the other, so what runs at once is indirect, begun by hand, or for a backup.
WITH first_minutes AS (
  SELECT server, database_id, begin_us, end_us, begin_us - begin_us % 60000000 AS minute_us FROM sound
),
parts AS (
  SELECT server, database_id, begin_us, end_us, minute_us FROM first_minutes
  UNION ALL
  SELECT server, database_id, begin_us, end_us, minute_us + 60000000 AS minute_us FROM first_minutes WHERE minute_us + 60000000 < end_us
  UNION ALL
  SELECT f.server, f.database_id, f.begin_us, f.end_us, f.minute_us + n.step_no * 60000000 AS minute_us
  FROM first_minutes AS f
  JOIN steps AS n ON n.step_no > 1 AND n.step_no * 60000000 < f.end_us - f.minute_us
  WHERE f.minute_us + 120000000 < f.end_us
),
cuts AS (
  SELECT server, database_id, minute_us, greatest(begin_us, minute_us) AS from_us, least(end_us, minute_us + 60000000) AS to_us FROM parts
),
of_databases AS (
  SELECT server, minute_us, database_id, count(*) AS checkpoints, sum(to_us - from_us) AS checkpoint_us FROM cuts GROUP BY server, minute_us, database_id
),
sums AS (
  SELECT server, minute_us, CAST(sum(checkpoints) AS bigint) AS checkpoints, count(*) AS databases, CAST(sum(checkpoint_us) AS bigint) AS checkpoint_us
  FROM of_databases
  GROUP BY server, minute_us
),
ranked AS (
  SELECT server, minute_us, checkpoints, databases, checkpoint_us,
         row_number() OVER (PARTITION BY server ORDER BY checkpoint_us DESC, databases DESC, minute_us) AS rank_no
  FROM sums
),
worst AS (
  SELECT server, minute_us, checkpoints, databases, checkpoint_us, rank_no FROM ranked WHERE rank_no <= 20
),
changes AS (
  SELECT c.server, c.minute_us, c.from_us AS at_us, 1 AS change FROM cuts AS c JOIN worst AS w ON w.server = c.server AND w.minute_us = c.minute_us
  UNION ALL
  SELECT c.server, c.minute_us, c.to_us AS at_us, -1 AS change FROM cuts AS c JOIN worst AS w ON w.server = c.server AND w.minute_us = c.minute_us
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
ORDER BY w.server, w.rank_no
