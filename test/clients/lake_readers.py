"""Reads a lake with programs that others wrote, and runs the texts of analysis/ where SQL is spoken.

python lake_readers.py LAKE ANALYSIS OUT JAR...: OUT gets one JSON object:
  tables:   reader -> table -> sorted rows, as text
  analyses: engine -> text -> rows
  seconds:  reader -> how long it took, with its start
The sessions' time zones are far apart: nothing may follow them.
"""
import datetime
import glob
import json
import os
import sys
import tempfile
import time

import deltalake
import duckdb
import duckdb_extension_delta
import pandas
import pyarrow
from pyspark.sql import SparkSession

lake, analysis, out, *jars = sys.argv[1:]
TABLES = ["checkpoints", "samples", "log_messages", "gaps", "facts", "runs", "answers", "collector"]
TEXTS = {os.path.basename(path)[:-4]: open(path, encoding="utf8").read() for path in sorted(glob.glob(analysis + "/*.sql"))}
VIEWS = [text for text in TEXTS.pop("views").split(";\n") if text.strip()]
result = {"tables": {}, "analyses": {}, "seconds": {}}


def plain(value):
    """A value as JSON has it; moments as microseconds of UTC."""
    if value is None or value is pandas.NA or value is pandas.NaT:
        return None
    if isinstance(value, datetime.datetime):
        moment = value if value.tzinfo is not None else value.replace(tzinfo=datetime.timezone.utc)
        return (moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(microseconds=1)
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    return value.item() if hasattr(value, "item") else value


def listed(rows):
    return [[plain(value) for value in row] for row in rows]


def timed(reader, read):
    begin = time.time()
    read()
    result["seconds"][reader] = round(time.time() - begin, 1)


def keep(reader, table, rows):
    result["tables"].setdefault(reader, {})[table] = sorted(json.dumps(row, ensure_ascii=False) for row in listed(rows))


def columns_of(table):
    names = [field.name for field in deltalake.DeltaTable(f"{lake}/{table}").schema().fields]
    return [name for name in names if name != "date"]


COLUMNS = {table: columns_of(table) for table in TABLES}


def in_micros(table, function):
    """Moments as whole microseconds, so that no driver turns them into its own time zone."""
    types = {field.name: str(field.type) for field in deltalake.DeltaTable(f"{lake}/{table}").schema().fields}
    return ", ".join(f"{function}({name}) AS {name}" if "timestamp" in types[name] else name for name in COLUMNS[table])


def read_duckdb():
    connection = duckdb.connect()
    [extension] = glob.glob(os.path.dirname(duckdb_extension_delta.__file__) + "/extensions/*/delta.duckdb_extension")
    connection.execute(f"LOAD '{extension}'")
    connection.execute("SET TimeZone = 'Asia/Tokyo'")
    connection.execute("CREATE MACRO unix_micros(t) AS epoch_us(t)")
    for table in TABLES:
        connection.execute(f"CREATE VIEW {table} AS SELECT * FROM delta_scan('{lake}/{table}')")
        keep("duckdb", table, connection.execute(f"SELECT {in_micros(table, 'unix_micros')} FROM {table}").fetchall())
    for text in VIEWS:
        connection.execute(text)
    result["analyses"]["duckdb"] = {name: listed(connection.execute(text).fetchall()) for name, text in TEXTS.items()}


def read_spark():
    settings = {
        "spark.driver.memory": "512m",
        # A few hundred rows: compiling costs more than it saves.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.adaptive.enabled": "false",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.files.minPartitionNum": "1",
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.sql.session.timeZone": "America/New_York",
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
        for table in TABLES:
            spark.read.format("delta").load(f"{lake}/{table}").cache().createOrReplaceTempView(table)
            keep("spark", table, spark.sql(f"SELECT {in_micros(table, 'unix_micros')} FROM {table}").collect())
        for text in VIEWS:
            spark.sql(text)
        result["analyses"]["spark"] = {name: listed(spark.sql(text).collect()) for name, text in TEXTS.items()}
    finally:
        spark.stop()


def read_delta_rs():
    for table in TABLES:
        builder = deltalake.QueryBuilder().register(table, deltalake.DeltaTable(f"{lake}/{table}"))
        rows = pyarrow.table(builder.execute(f"SELECT {', '.join(COLUMNS[table])} FROM {table}").read_all())
        keep("delta-rs", table, zip(*(rows[name].to_pylist() for name in COLUMNS[table])))


def read_pandas():
    """The files that the log names, without the log."""
    for table in TABLES:
        files = deltalake.DeltaTable(f"{lake}/{table}").file_uris()
        frames = [pandas.read_parquet(file, columns=COLUMNS[table], dtype_backend="pyarrow", partitioning=None) for file in files]
        rows = [row for frame in frames for row in zip(*(frame[name].array._pa_array.to_pylist() for name in COLUMNS[table]))]
        keep("pandas", table, rows)


timed("duckdb", read_duckdb)
timed("delta-rs", read_delta_rs)
timed("pandas", read_pandas)
timed("spark", read_spark)
with open(out, "w", encoding="utf8") as file:
    json.dump(result, file, ensure_ascii=False)
