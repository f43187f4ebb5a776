DECLARE @at int = 0, @name sysname, @wanted int, @outcome nvarchar(2048), @statement nvarchar(400), @changed int = 0, @failed int = 0;
WHILE @failed < 3
BEGIN
    /* The next database of the wave, and what keeps it from being changed now; NULL: nothing does. */
    SELECT TOP (1) @at = l.ordinal, @name = l.name, @wanted = l.wanted, @outcome = CASE
        WHEN d.database_id IS NULL THEN N'LEFT ALONE: not here, or not the one that was reviewed (renamed or made anew since)'
        WHEN EXISTS (SELECT 1 FROM sys.availability_groups AS g WHERE d.name COLLATE Latin1_General_BIN2
            IN (g.name + N'_master', g.name + N'_msdb')) THEN N'LEFT ALONE: a system database of a contained group'
        WHEN d.target_recovery_time_in_seconds = l.wanted THEN N'LEFT ALONE: has the wanted value already'
        WHEN ISNULL(d.target_recovery_time_in_seconds, -1) <> l.reviewed THEN N'LEFT ALONE: has another value than was reviewed'
        WHEN d.state <> 0 OR ISNULL(CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')), N'') <> N'READ_WRITE'
            THEN N'LEFT ALONE: not writable here now (' + d.state_desc
                + CASE WHEN d.replica_id IS NULL THEN N')' ELSE N'; a secondary or a forwarder: run this text on the primary)' END END
    FROM @list AS l
    LEFT JOIN sys.databases AS d
        ON d.name COLLATE Latin1_General_BIN2 = l.name AND d.database_id > 4
        AND (d.group_database_id = l.group_id OR d.create_date = l.created)
    WHERE l.ordinal > @at AND (l.wave = @wave OR @wave IS NULL)
    ORDER BY l.ordinal;
    IF @@ROWCOUNT = 0 BREAK;
    IF @outcome IS NULL
    BEGIN TRY
        SET @statement = REPLACE(REPLACE(
            N'ALTER DATABASE [name] SET TARGET_RECOVERY_TIME = {wanted} SECONDS WITH NO_WAIT;',
            N'{wanted}', @wanted), N'[name]', QUOTENAME(@name));
        RAISERROR(N'%s', 0, 1, @statement) WITH NOWAIT;
        EXECUTE sys.sp_executesql @statement;
        SELECT @changed += 1, @outcome = N'CHANGED';
    END TRY
    BEGIN CATCH
        SELECT @failed += 1, @outcome = N'FAILED: ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
    END CATCH;
    UPDATE @list SET outcome = @outcome WHERE ordinal = @at;
    RAISERROR(N'    %s: %s', 0, 1, @name, @outcome) WITH NOWAIT;
END;

/* What became of each database of the wave, and what its value is now. */
SELECT l.wave, l.name, l.reviewed, l.wanted, now = d.target_recovery_time_in_seconds, outcome = ISNULL(l.outcome, N'NOT REACHED'),
    undo_row = CASE WHEN l.outcome = N'CHANGED' THEN N'INSERT @list (wave, name, group_id, created, reviewed, wanted) VALUES ('
        + CONVERT(nvarchar(11), l.wave) + N', ' + CASE WHEN l.name COLLATE Latin1_General_BIN2 LIKE N'%[^-0-9A-Za-z_. ]%'
            THEN N'CONVERT(nvarchar(128), ' + CONVERT(nvarchar(600), CONVERT(varbinary(256), l.name), 1) + N')'
            ELSE N'N''' + l.name + N'''' END + N', ' + ISNULL(N'''' + CONVERT(nvarchar(36), l.group_id) + N'''', N'NULL') + N', '
        + ISNULL(N'''' + CONVERT(nvarchar(30), l.created, 126) + N'''', N'NULL') + N', '
        + CONVERT(nvarchar(11), l.wanted) + N', ' + CONVERT(nvarchar(11), l.reviewed) + N');' ELSE N'' END
FROM @list AS l
LEFT JOIN sys.databases AS d
    ON d.name COLLATE Latin1_General_BIN2 = l.name
WHERE l.wave = @wave OR @wave IS NULL
ORDER BY l.ordinal;
RAISERROR(N'%d changed, %d failed; the table says the rest.', 0, 1, @changed, @failed);
IF @failed > 0 RAISERROR(N'%d FAILED (three stop it). Run the ALTER of one by itself: that shows all of its error.', 16, 1, @failed);
