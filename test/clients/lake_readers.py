"""Reads a lake with programs that others wrote, and runs the texts of analysis/ where SQL is spoken.

python lake_readers.py LAKE OTHER ANALYSIS OUT READER,... JAR...: the texts are run on both lakes as one; the readers are those at the end. Each imports what it needs, so that one can be run where
the others are not installed. Spark is named with its release. OUT gets one JSON object:
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
import time

from spark_session import open_spark

lake, other, analysis, out, readers, *jars = sys.argv[1:]
TABLES = ["checkpoints", "samples", "log_messages", "gaps", "facts", "runs", "answers", "collector", "server_days", "database_days"]
TEXTS = {os.path.basename(path)[:-4]: open(path, encoding="utf8").read() for path in sorted(glob.glob(analysis + "/*.sql"))}
VIEWS = [text for text in TEXTS.pop("views").split(";\n") if text.strip()]
result = {"tables": {}, "analyses": {}, "seconds": {}}


def plain(value):
    """A value as JSON has it; moments as microseconds of UTC."""
    if value is None:
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


def keep(reader, table, rows):
    result["tables"].setdefault(reader, {})[table] = sorted(json.dumps(row, ensure_ascii=False) for row in listed(rows))


def in_micros(types):
    """Moments as whole microseconds, so that no driver turns them into its own time zone. Without `date`, which only cuts the files."""
    return ", ".join(
        f"unix_micros({name}) AS {name}" if type.lower().startswith("timestamp") else name for name, type in types if name != "date"
    )


def read_duckdb():
    import duckdb
    import duckdb_extension_delta

    connection = duckdb.connect()
    [extension] = glob.glob(os.path.dirname(duckdb_extension_delta.__file__) + "/extensions/*/delta.duckdb_extension")
    connection.execute(f"LOAD '{extension}'")
    connection.execute("SET TimeZone = 'Asia/Tokyo'")
    connection.execute("CREATE MACRO unix_micros(t) AS epoch_us(t)")
    for table in TABLES:
        connection.execute(f"CREATE VIEW {table} AS SELECT * FROM delta_scan('{lake}/{table}')")
        types = [row[:2] for row in connection.execute(f"DESCRIBE {table}").fetchall()]
        keep("duckdb", table, connection.execute(f"SELECT {in_micros(types)} FROM {table}").fetchall())
        connection.execute(
            f"CREATE OR REPLACE VIEW {table} AS SELECT * FROM delta_scan('{lake}/{table}') UNION ALL BY NAME SELECT * FROM delta_scan('{other}/{table}')"
        )
    for text in VIEWS:
        connection.execute(text)
    result["analyses"]["duckdb"] = {name: listed(connection.execute(text).fetchall()) for name, text in TEXTS.items()}
    return "duckdb"


def read_spark():
    spark = open_spark(
        jars, {"spark.sql.files.minPartitionNum": "1", "spark.sql.session.timeZone": "America/New_York"}
    )
    reader = "spark " + ".".join(spark.version.split(".")[:2])
    try:
        for table in TABLES:
            frame = spark.read.format("delta").load(f"{lake}/{table}").cache()
            frame.createOrReplaceTempView(table)
            keep(reader, table, spark.sql(f"SELECT {in_micros(frame.dtypes)} FROM {table}").collect())
            both = frame.unionByName(spark.read.format("delta").load(f"{other}/{table}"), allowMissingColumns=True)
            both.createOrReplaceTempView(table)
        for text in VIEWS:
            spark.sql(text)
        result["analyses"][reader] = {name: listed(spark.sql(text).collect()) for name, text in TEXTS.items()}
    finally:
        spark.stop()
    return reader


def columns_of(opened):
    return [field.name for field in opened.schema().fields if field.name != "date"]


def read_delta_rs():
    import deltalake
    import pyarrow

    for table in TABLES:
        opened = deltalake.DeltaTable(f"{lake}/{table}")
        columns = columns_of(opened)
        builder = deltalake.QueryBuilder().register(table, opened)
        rows = pyarrow.table(builder.execute(f"SELECT {', '.join(columns)} FROM {table}").read_all())
        keep("delta-rs", table, zip(*(rows[name].to_pylist() for name in columns)))
    return "delta-rs"


def read_pandas():
    """The files that the log names, without the log."""
    import deltalake
    import pandas

    for table in TABLES:
        opened = deltalake.DeltaTable(f"{lake}/{table}")
        columns = columns_of(opened)
        frames = [pandas.read_parquet(file, columns=columns, dtype_backend="pyarrow", partitioning=None) for file in opened.file_uris()]
        rows = [row for frame in frames for row in zip(*(frame[name].array._pa_array.to_pylist() for name in columns))]
        keep("pandas", table, rows)
    return "pandas"


READERS = {"duckdb": read_duckdb, "delta-rs": read_delta_rs, "pandas": read_pandas, "spark": read_spark}
for chosen in readers.split(","):
    begin = time.time()
    reader = READERS[chosen]()
    result["seconds"][reader] = round(time.time() - begin, 1)
with open(out, "w", encoding="utf8") as file:
    json.dump(result, file, ensure_ascii=False)
