-- saturation: how busy the one task of automatic checkpoints was, on each server and day (UTC). One row for each day with observed time.
-- Reads checkpoints, gaps, facts, runs and the sums of days. Busy: at least one checkpoint of a database with automatic checkpoints ran (the union of their intervals).
-- NULL: it was never seen which databases are automatic. Observed: what the runs observed, less the gaps. Automatic: the target recovery time was 0 when the checkpoint began, as far as it was read by then.
-- To the last digit what the dashboard computes from the same intervals. The dashboard also leaves out checkpoints that ran beside the task, by hand or for a
-- backup, and counts what was seen of one that an edge of the observed time cuts; so its share can differ by those.
SELECT s.server, date '1970-01-01' + CAST(s.day_us / 86400000000 AS int) AS day_utc, s.observed_us,
       CASE WHEN k.server IS NOT NULL THEN s.busy_us END AS busy_us,
       CASE WHEN k.server IS NOT NULL THEN CAST(s.busy_us AS double) / s.observed_us END AS busy_share
FROM busy_days AS s
LEFT JOIN seen_targets AS k ON k.server = s.server
WHERE s.observed_us > 0
ORDER BY s.server, day_utc
