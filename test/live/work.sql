/*
Name:     work
Purpose:  Writes log and dirty pages in the current database for a while, as the live tests need it.
Changes:  creates and fills dbo.work
*/
SET NOCOUNT ON;
IF OBJECT_ID(N'dbo.work', N'U') IS NULL
    CREATE TABLE dbo.work
    (
        id int IDENTITY(1, 1) NOT NULL PRIMARY KEY,
        filler char(4000) NOT NULL
    );
DECLARE @until datetime2(3) = DATEADD(SECOND, <seconds, int, 150>, SYSUTCDATETIME());
WHILE SYSUTCDATETIME() < @until
BEGIN
    BEGIN TRY
        INSERT INTO dbo.work (filler)
        SELECT TOP (500) N'x'
        FROM sys.all_columns;
        IF (SELECT COUNT(*) FROM dbo.work) > 10000
            TRUNCATE TABLE dbo.work;
    END TRY
    BEGIN CATCH
        /* 9002: the log is full until the next checkpoint frees it. */
        WAITFOR DELAY '00:00:00.200';
    END CATCH;
    WAITFOR DELAY '00:00:00.050';
END;
