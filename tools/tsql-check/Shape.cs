// Lists what a T-SQL file consists of, one line for each node of Microsoft's syntax tree: file, kind of the node, its value in UTF-16 as hexadecimal digits.
// Constants that are joined by + count as one text. A text that is a script of several statements is listed as one.
// usage: Chk shape FILE...
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.SqlServer.TransactSql.ScriptDom;

public static class Shape
{
    public static void Print(IEnumerable<string> files)
    {
        foreach (var file in files)
        {
            IList<ParseError> errors;
            var fragment = Parse(Read(file), out errors);
            if (errors.Count > 0) Console.WriteLine(file + "\terror\t" + ShapeVisitor.Hex(errors[0].Message));
            else fragment.Accept(new ShapeVisitor(file));
        }
    }

    static string Read(string file) { using (var reader = new StreamReader(file)) return reader.ReadToEnd(); }

    public static TSqlFragment Parse(string text, out IList<ParseError> errors)
    {
        using (var reader = new StringReader(text)) return new TSql150Parser(true).Parse(reader, out errors);
    }
}

class ShapeVisitor : TSqlFragmentVisitor
{
    readonly string file;

    public ShapeVisitor(string file) { this.file = file; }

    public static string Hex(string text)
    {
        return String.Concat(text.Select(unit => ((int)unit).ToString("X4")));
    }

    void Write(string kind, string value) { Console.WriteLine(file + "\t" + kind + "\t" + Hex(value)); }

    public override void Visit(TSqlFragment node)
    {
        var identifier = node as Identifier;
        var literal = node as Literal;
        Write(node.GetType().Name, identifier != null ? identifier.Value : literal != null ? literal.Value : "");
    }

    public override void ExplicitVisit(StringLiteral node) { WriteText(node.Value); }

    public override void ExplicitVisit(ConvertCall node)
    {
        var text = TextOf(node);
        if (text == null) base.ExplicitVisit(node);
        else WriteText(text);
    }

    public override void ExplicitVisit(BinaryExpression node)
    {
        if (node.BinaryExpressionType != BinaryExpressionType.Add) { base.ExplicitVisit(node); return; }
        var gathered = new StringBuilder();
        var hasText = false;
        foreach (var operand in Operands(node))
        {
            var text = TextOf(operand);
            if (text != null) { gathered.Append(text); hasText = true; continue; }
            if (hasText) WriteText(gathered.ToString());
            gathered.Clear();
            hasText = false;
            operand.Accept(this);
        }
        if (hasText) WriteText(gathered.ToString());
    }

    static IEnumerable<ScalarExpression> Operands(ScalarExpression node)
    {
        var sum = node as BinaryExpression;
        if (sum == null || sum.BinaryExpressionType != BinaryExpressionType.Add) return new[] { node };
        return Operands(sum.FirstExpression).Concat(Operands(sum.SecondExpression));
    }

    // What a constant holds: a literal, or bytes that are converted to nvarchar.
    static string TextOf(ScalarExpression node)
    {
        var literal = node as StringLiteral;
        if (literal != null) return literal.Value;
        var convert = node as ConvertCall;
        var bytes = convert == null ? null : convert.Parameter as BinaryLiteral;
        if (bytes == null || convert.DataType.Name.BaseIdentifier.Value != "nvarchar") return null;
        var digits = bytes.Value.Substring(2);
        // The lower byte of each unit comes first. A pair of surrogates may be cut in two.
        var units = Enumerable.Range(0, digits.Length / 4).Select(at => digits.Substring(4 * at + 2, 2) + digits.Substring(4 * at, 2));
        return String.Concat(units.Select(unit => (char)Convert.ToInt32(unit, 16)));
    }

    void WriteText(string text)
    {
        IList<ParseError> errors;
        var script = text.Split('\n').Length < 10 ? null : Shape.Parse(text, out errors) as TSqlScript;
        if (script == null || script.Batches.Sum(batch => batch.Statements.Count) < 5) { Write("Text", text); return; }
        Write("Script", "");
        script.Accept(this);
        Write("EndOfScript", "");
    }
}
