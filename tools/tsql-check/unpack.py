"""Takes Microsoft's T-SQL parser and the .NET runtime that it needs out of the mssql-cli wheel.

usage: unpack.py WHEEL FOLDER
The wheel's own launcher starts MicrosoftSqlToolsServiceLayer.dll; in the copy the name is overwritten by that of our program.
"""

import os
import sys
import zipfile

PREFIX = "mssqlcli/mssqltoolsservice/bin/"
LAUNCHER = "MicrosoftSqlToolsServiceLayer"
KEPT = {
    "Microsoft.SqlServer.TransactSql.ScriptDom.dll",
    "Microsoft.Win32.Primitives.dll",
    "netstandard.dll",
    "mscorlib.dll",
    "libcoreclr.so",
    "libclrjit.so",
    "libhostfxr.so",
    "libhostpolicy.so",
}


def unpack(wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.namelist():
            name = entry[len(PREFIX) :]
            if not entry.startswith(PREFIX) or not name or "/" in name:
                continue
            if name in KEPT or name.startswith("System."):
                write(os.path.join(folder, name), archive.read(entry))
            if name == LAUNCHER:
                write(os.path.join(folder, "Chk"), rename_program(archive.read(entry)))
                os.chmod(os.path.join(folder, "Chk"), 0o755)
    write(os.path.join(folder, "Chk.runtimeconfig.json"), b'{"runtimeOptions":{}}')


def rename_program(launcher):
    old = (LAUNCHER + ".dll").encode()
    if launcher.count(old) != 1:
        raise SystemExit("the launcher in the wheel is not the one that was tried")
    return launcher.replace(old, b"Chk.dll".ljust(len(old), b"\0"))


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


unpack(sys.argv[1], sys.argv[2])
