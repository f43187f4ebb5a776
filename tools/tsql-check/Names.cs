// Lists what a T-SQL file names, one line each, separated by tabs: file, kind, name, line, "executed" where it stands in a string.
// Columns are given with the objects that they may belong to.
// usage: Chk names FILE...
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Microsoft.SqlServer.TransactSql.ScriptDom;

public static class Names
{
    public static void Print(IEnumerable<string> files)
    {
        foreach (var file in files)
        {
            IList<ParseError> errors;
            TSqlFragment fragment;
            using (var reader = new StreamReader(file)) fragment = new TSql150Parser(true).Parse(reader, out errors);
            if (errors.Count > 0) Write(file, "error", errors[0].Message, errors[0].Line);
            else fragment.Accept(new NameVisitor(file));
        }
    }

    public static void Write(string file, string kind, string name, int line, bool isExecuted = false)
    {
        var cells = new[] { file, kind, name.Replace('\n', ' ').Replace('\t', ' '), line.ToString(), isExecuted ? "executed" : "" };
        Console.WriteLine(String.Join("\t", cells));
    }
}

// What the aliases of one query stand for: a catalog object, or "" for a derived table, a variable or a common table.
class Scope
{
    public readonly Dictionary<string, string> Sources = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
}

class NameVisitor : TSqlFragmentVisitor
{
    readonly string file;
    readonly Stack<Scope> scopes = new Stack<Scope>();
    readonly HashSet<string> commonTables = new HashSet<string>(StringComparer.OrdinalIgnoreCase);

    readonly int line;

    // line: where the text stands, if it is part of another one; 0: it is not.
    public NameVisitor(string file, int line = 0) { this.file = file; this.line = line; }

    void Write(string kind, string name, TSqlFragment at) { Names.Write(file, kind, name, line == 0 ? at.StartLine : line, line != 0); }

    static string Join(MultiPartIdentifier name)
    {
        return name == null ? "" : String.Join(".", name.Identifiers.Select(each => each.Value).ToArray());
    }

    // Scopes

    public override void ExplicitVisit(QuerySpecification node)
    {
        Within(node.FromClause == null ? null : node.FromClause.TableReferences, () => base.ExplicitVisit(node));
    }

    public override void ExplicitVisit(UpdateSpecification node) { WithinChange(node.FromClause, node.Target, () => base.ExplicitVisit(node)); }
    public override void ExplicitVisit(DeleteSpecification node) { WithinChange(node.FromClause, node.Target, () => base.ExplicitVisit(node)); }

    void WithinChange(FromClause from, TableReference target, Action visit)
    {
        var sources = new List<TableReference>();
        if (from != null) sources.AddRange(from.TableReferences);
        else sources.Add(target);
        Within(sources, visit);
    }

    void Within(IEnumerable<TableReference> sources, Action visit)
    {
        var scope = new Scope();
        if (sources != null) foreach (var source in sources) Collect(source, scope);
        scopes.Push(scope);
        visit();
        scopes.Pop();
    }

    void Collect(TableReference source, Scope scope)
    {
        var join = source as JoinTableReference;
        if (join != null) { Collect(join.FirstTableReference, scope); Collect(join.SecondTableReference, scope); return; }
        var parenthesis = source as JoinParenthesisTableReference;
        if (parenthesis != null) { Collect(parenthesis.Join, scope); return; }
        var aliased = source as TableReferenceWithAlias;
        if (aliased == null) return;
        var named = source as NamedTableReference;
        var function = source as SchemaObjectFunctionTableReference;
        var global = source as GlobalFunctionTableReference;
        string name = named != null ? Join(named.SchemaObject) : function != null ? Join(function.SchemaObject) : global != null ? "" : "";
        if (commonTables.Contains(name) || name.StartsWith("#")) name = "";
        var alias = aliased.Alias != null ? aliased.Alias.Value : name.Split('.').Last();
        if (function != null && aliased.Alias == null) alias = name;
        scope.Sources[alias] = (function != null && (function as TableReferenceWithAliasAndColumns).Columns.Count > 0) ? "" : name;
    }

    public override void Visit(CommonTableExpression node) { commonTables.Add(node.ExpressionName.Value); }

    // A WITH clause stands before the query that uses it, but is visited behind it in places: names are gathered first.
    public override void ExplicitVisit(WithCtesAndXmlNamespaces node)
    {
        foreach (var each in node.CommonTableExpressions) commonTables.Add(each.ExpressionName.Value);
        base.ExplicitVisit(node);
    }

    public override void ExplicitVisit(SelectStatement node) { GatherCommon(node); base.ExplicitVisit(node); }
    public override void ExplicitVisit(InsertStatement node) { GatherCommon(node); base.ExplicitVisit(node); }
    public override void ExplicitVisit(UpdateStatement node) { GatherCommon(node); base.ExplicitVisit(node); }
    public override void ExplicitVisit(DeleteStatement node) { GatherCommon(node); base.ExplicitVisit(node); }

    void GatherCommon(StatementWithCtesAndXmlNamespaces node)
    {
        if (node.WithCtesAndXmlNamespaces == null) return;
        foreach (var each in node.WithCtesAndXmlNamespaces.CommonTableExpressions) commonTables.Add(each.ExpressionName.Value);
    }

    // Names

    public override void Visit(NamedTableReference node)
    {
        var name = Join(node.SchemaObject);
        if (commonTables.Contains(name) || name.StartsWith("#")) return;
        if (node.SchemaObject.Identifiers.Count == 1 && scopes.Any(scope => scope.Sources.ContainsKey(name))) return;
        Write("object", name, node);
    }

    public override void Visit(SchemaObjectFunctionTableReference node)
    {
        var name = Join(node.SchemaObject);
        // column.nodes('...') of an xml column is a method, not an object.
        if (node.SchemaObject.Identifiers.Count > 1 && name.EndsWith(".nodes", StringComparison.OrdinalIgnoreCase)) Write("method", "nodes", node);
        else Write("object", name, node);
    }

    public override void Visit(GlobalFunctionTableReference node) { Write("function", node.Name.Value, node); }

    public override void Visit(ColumnReferenceExpression node)
    {
        if (node.MultiPartIdentifier == null || scopes.Count == 0) return;
        var parts = node.MultiPartIdentifier.Identifiers.Select(each => each.Value).ToArray();
        var column = parts.Last();
        if (parts.Length == 1)
        {
            // Unqualified: of any source in sight. Without a catalog object among them there is nothing to hold it against.
            var inSight = scopes.SelectMany(scope => scope.Sources.Values).Distinct().ToArray();
            if (inSight.Length == 0 || inSight.Any(name => name == "" || name.StartsWith("#"))) return;
            Write("column", String.Join("|", inSight) + "/" + column, node);
            return;
        }
        var alias = parts[parts.Length - 2];
        foreach (var scope in scopes)
        {
            string source;
            if (!scope.Sources.TryGetValue(alias, out source)) continue;
            if (source != "") Write("column", source + "/" + column, node);
            return;
        }
        if (!commonTables.Contains(alias)) Write("column", "?" + alias + "/" + column, node);
    }

    public override void Visit(FunctionCall node)
    {
        if (node.CallTarget is ExpressionCallTarget || node.CallTarget is MultiPartIdentifierCallTarget)
        {
            var target = node.CallTarget as MultiPartIdentifierCallTarget;
            var owner = target == null ? "" : Join(target.MultiPartIdentifier);
            Write(owner == "sys" || owner == "dbo" ? "function" : "method", node.FunctionName.Value, node);
        }
        else Write("function", node.FunctionName.Value, node);
        var literal = node.Parameters.OfType<StringLiteral>().ToArray();
        var name = node.FunctionName.Value.ToUpperInvariant();
        if (name == "SERVERPROPERTY" && literal.Length == 1) Write("server property", literal[0].Value, node);
        if (name == "DATABASEPROPERTYEX" && literal.Length > 0) Write("database property", literal.Last().Value, node);
        if (name == "HAS_PERMS_BY_NAME" && literal.Length > 0) Write("permission", literal.Last().Value, node);
    }

    public override void Visit(ConvertCall node) { Write("type", TypeOf(node.DataType), node); }
    public override void Visit(CastCall node) { Write("type", TypeOf(node.DataType), node); }
    public override void Visit(TryConvertCall node) { Write("function", "TRY_CONVERT", node); }

    static string TypeOf(DataTypeReference type) { return type == null || type.Name == null ? "xml" : Join(type.Name); }

    public override void Visit(ExecutableProcedureReference node)
    {
        if (node.ProcedureReference != null && node.ProcedureReference.ProcedureReference != null)
            Write("procedure", Join(node.ProcedureReference.ProcedureReference.Name), node);
    }

    // sys.configurations, performance counters and waits are named by their rows.
    public override void Visit(BooleanComparisonExpression node)
    {
        var column = node.FirstExpression as ColumnReferenceExpression;
        var literal = node.SecondExpression as StringLiteral;
        if (column == null || literal == null || column.MultiPartIdentifier == null) return;
        Row(column.MultiPartIdentifier.Identifiers.Last().Value, literal, node);
    }

    public override void Visit(InPredicate node)
    {
        var column = node.Expression as ColumnReferenceExpression;
        if (column == null || column.MultiPartIdentifier == null) return;
        foreach (var literal in node.Values.OfType<StringLiteral>()) Row(column.MultiPartIdentifier.Identifiers.Last().Value, literal, node);
    }

    void Row(string column, StringLiteral literal, TSqlFragment at)
    {
        if (column == "counter_name" || column == "wait_type") Write(column.Replace('_', ' '), literal.Value, at);
    }

    // Extended Events

    public override void Visit(EventDeclaration node) { Write("event", Join(node.ObjectName.MultiPartIdentifier), node); Actions(node); }

    void Actions(EventDeclaration node)
    {
        foreach (var action in node.EventDeclarationActionParameters) Write("action", Join(action.MultiPartIdentifier), action);
        foreach (var set in node.EventDeclarationSetParameters) Write("event setting", set.EventField.Value, set);
    }

    public override void Visit(TargetDeclaration node)
    {
        var target = Join(node.ObjectName.MultiPartIdentifier);
        Write("target", target, node);
        foreach (var set in node.TargetDeclarationParameters) Write("target setting", target + "/" + set.EventField.Value, set);
    }

    public override void Visit(AlterEventSessionStatement node)
    {
        foreach (var each in node.DropEventDeclarations) Write("event", Join(each.MultiPartIdentifier), each);
        foreach (var each in node.DropTargetDeclarations) Write("target", Join(each.MultiPartIdentifier), each);
    }

    public override void Visit(SessionOption node) { Write("session option", node.OptionKind.ToString(), node); }
    public override void Visit(SourceDeclaration node) { Write("event field", Join(node.Value.MultiPartIdentifier), node); }

    // A string that is a statement by itself is taken for one that is executed: its names count with the line of the string.
    public override void Visit(StringLiteral node)
    {
        if (node.Value.Length < 15 || !Statement.IsMatch(node.Value)) return;
        IList<ParseError> errors;
        TSqlFragment fragment;
        using (var reader = new StringReader(node.Value)) fragment = new TSql150Parser(true).Parse(reader, out errors);
        if (errors.Count == 0) fragment.Accept(new NameVisitor(file, node.StartLine));
    }

    static readonly Regex Statement = new Regex(@"^\s*(SELECT|WITH|INSERT|UPDATE|DELETE|EXEC|EXECUTE|DBCC|ALTER|CREATE|DROP|DECLARE|USE|IF)\b", RegexOptions.IgnoreCase);

    public override void Visit(DbccStatement node) { Write("dbcc", node.Command.ToString(), node); }
    public override void Visit(DatabaseOption node) { Write("database option", node.OptionKind.ToString(), node); }
}
