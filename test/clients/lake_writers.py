"""Works on a lake with programs that others wrote, by their defaults, as its owner may.

python lake_writers.py LAKE WRITER DEED JAR...
  keep up   joins the files of each table, makes a checkpoint of its log, and deletes what is in no table any more
  delete    deletes the checkpoints of the database 5
  insert    inserts five checkpoints again, as those of a server "inserted"
It prints what the program says of itself.
"""
import glob
import os
import sys

from spark_session import open_spark

lake, writer, deed, *jars = sys.argv[1:]
TABLES = ["checkpoints", "samples", "log_messages", "gaps", "facts", "runs", "answers", "collector"]


def work_by_delta_rs():
    import deltalake

    if deed == "delete":
        deltalake.DeltaTable(f"{lake}/checkpoints").delete("database_id = 5")
    for name in TABLES if deed == "keep up" else []:
        deltalake.DeltaTable(f"{lake}/{name}").optimize.compact()
        deltalake.DeltaTable(f"{lake}/{name}").create_checkpoint()
        deltalake.DeltaTable(f"{lake}/{name}").vacuum(retention_hours=0, enforce_retention_duration=False, dry_run=False)
    return "delta-rs " + deltalake.__version__


def work_by_duckdb():
    import duckdb
    import duckdb_extension_delta

    connection = duckdb.connect()
    [extension] = glob.glob(os.path.dirname(duckdb_extension_delta.__file__) + "/extensions/*/delta.duckdb_extension")
    connection.execute(f"LOAD '{extension}'")
    connection.execute(f"ATTACH '{lake}/checkpoints' AS checkpoints (TYPE delta)")
    connection.execute("INSERT INTO checkpoints SELECT * REPLACE ('inserted' AS server) FROM checkpoints LIMIT 5")
    return "duckdb " + duckdb.__version__


def work_by_spark():
    more = {
        # VACUUM lists folders in as many tasks as this.
        "spark.sql.sources.parallelPartitionDiscovery.parallelism": "1",
        # As many parts as a log of millions of files would have.
        "spark.databricks.delta.checkpoint.partSize": "2",
        "spark.databricks.delta.retentionDurationCheck.enabled": "false",
    }
    spark = open_spark(jars, more)
    try:
        if deed == "delete":
            spark.sql(f"DELETE FROM delta.`{lake}/checkpoints` WHERE database_id = 5")
        for name in TABLES if deed == "keep up" else []:
            spark.sql(f"OPTIMIZE delta.`{lake}/{name}`")
            spark._jvm.org.apache.spark.sql.delta.DeltaLog.forTable(spark._jsparkSession, f"{lake}/{name}").checkpoint()
            spark.sql(f"VACUUM delta.`{lake}/{name}` RETAIN 0 HOURS")
        return "spark " + spark.version
    finally:
        spark.stop()


print({"delta-rs": work_by_delta_rs, "duckdb": work_by_duckdb, "spark": work_by_spark}[writer]())
