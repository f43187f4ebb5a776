-- collecting: how well the collector keeps up. One row for each server, the one that is most behind first.
-- Reads runs and gaps. A run read a server if it was collected whole, or there was nothing new; in part: until its time was over. Left out: another run was reading it.
-- usual_interval_us is the median time from one run that read it to the next; behind_us is from the last of them to the newest run of any server.
-- Runs by a clock that was ahead are left out. A server is late if that is more than three times its usual interval, and more than ten minutes; of one that was read once, three days. too_late counts gaps in which events were overwritten before they were read, and too_late_us how long they are:
-- run collect more often then, or give the session more room.
WITH tries AS (
  SELECT server, unix_micros(started_utc) AS started_us, unix_micros(ended_utc) - unix_micros(started_utc) AS took_us, outcome,
         outcome IN ('collected', 'nothing new', 'not tracked') AS is_read
  FROM known_runs
  WHERE is_ahead = 0
),
counts AS (
  SELECT server, count(*) AS runs,
         CAST(sum(CASE WHEN is_read THEN 1 ELSE 0 END) AS bigint) AS read_whole,
         CAST(sum(CASE WHEN outcome = 'in part' THEN 1 ELSE 0 END) AS bigint) AS in_part,
         CAST(sum(CASE WHEN outcome = 'left out' THEN 1 ELSE 0 END) AS bigint) AS left_out,
         max(took_us) AS longest_run_us, max(CASE WHEN is_read THEN started_us END) AS last_read_us
  FROM tries
  GROUP BY server
),
intervals AS (
  SELECT server, started_us - lag(started_us) OVER (PARTITION BY server ORDER BY started_us) AS interval_us FROM tries WHERE is_read
),
ranked AS (
  SELECT server, interval_us, row_number() OVER (PARTITION BY server ORDER BY interval_us) AS rank_no, count(*) OVER (PARTITION BY server) AS known
  FROM intervals
  WHERE interval_us IS NOT NULL
),
usual AS (
  SELECT server, min(CASE WHEN rank_no * 2 >= known THEN interval_us END) AS usual_interval_us, max(interval_us) AS longest_interval_us FROM ranked GROUP BY server
),
lost AS (
  SELECT server, count(*) AS too_late, CAST(sum(end_us - begin_us) AS bigint) AS too_late_us FROM known_gaps WHERE came_too_late GROUP BY server
),
newest AS (
  SELECT max(started_us) AS started_us FROM tries
)
SELECT c.server, c.runs, c.read_whole, c.in_part, c.left_out, c.longest_run_us, c.last_read_us, n.started_us - c.last_read_us AS behind_us,
       u.usual_interval_us, u.longest_interval_us, n.started_us - c.last_read_us > greatest(3 * coalesce(u.usual_interval_us, 86400000000), 600000000) AS is_late,
       coalesce(l.too_late, 0) AS too_late, coalesce(l.too_late_us, 0) AS too_late_us
FROM counts AS c
CROSS JOIN newest AS n
LEFT JOIN usual AS u ON u.server = c.server
LEFT JOIN lost AS l ON l.server = c.server
ORDER BY behind_us DESC NULLS FIRST, c.server
