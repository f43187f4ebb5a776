// Holds T-SQL files against Microsoft's own grammar. Prints one line for each error: file, line, column, number and message, separated by tabs.
// usage: Chk LEVEL FILE...   (LEVEL: 110, 120, 130, 140 or 150)
//        Chk names FILE...   what the files name (Names.cs)
//        Chk shape FILE...   what the files consist of (Shape.cs)
using System;
using System.Collections.Generic;
using System.IO;
using Microsoft.SqlServer.TransactSql.ScriptDom;

public static class Chk
{
    const int InvalidUsage = 2;

    public static int Main(string[] arguments)
    {
        if (arguments.Length < 2) return InvalidUsage;
        var files = new List<string>(arguments);
        files.RemoveAt(0);
        if (arguments[0] == "names") { Names.Print(files); return 0; }
        if (arguments[0] == "shape") { Shape.Print(files); return 0; }
        var parser = CreateParser(arguments[0]);
        foreach (var file in files) PrintErrors(parser, file);
        return 0;
    }

    static TSqlParser CreateParser(string level)
    {
        const bool quotedIdentifiers = true;
        switch (level)
        {
            case "110": return new TSql110Parser(quotedIdentifiers);
            case "120": return new TSql120Parser(quotedIdentifiers);
            case "130": return new TSql130Parser(quotedIdentifiers);
            case "140": return new TSql140Parser(quotedIdentifiers);
            case "150": return new TSql150Parser(quotedIdentifiers);
            default: throw new ArgumentException("no grammar for level " + level);
        }
    }

    static void PrintErrors(TSqlParser parser, string file)
    {
        IList<ParseError> errors;
        using (var reader = new StreamReader(file)) parser.Parse(reader, out errors);
        foreach (var error in errors)
            Console.WriteLine(String.Join("\t", new[] { file, error.Line.ToString(), error.Column.ToString(), error.Number.ToString(), error.Message }));
    }
}
