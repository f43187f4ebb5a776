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
import tempfile

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
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.memory": "1g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.shuffle.partitions": "1",
        # VACUUM lists folders in as many tasks as this.
        "spark.sql.sources.parallelPartitionDiscovery.parallelism": "1",
        "spark.databricks.delta.snapshotPartitions": "1",
        # As many parts as a log of millions of files would have.
        "spark.databricks.delta.checkpoint.partSize": "2",
        "spark.databricks.delta.retentionDurationCheck.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.log.level": "ERROR",
        "spark.local.dir": tempfile.gettempdir(),
        "spark.sql.warehouse.dir": tempfile.gettempdir() + "/warehouse",
        "spark.jars": ",".join(jars),
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
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
