import ts from 'typescript';
import { listFound, type SourceFile } from './source-files';

/** Types of texts that a Connection takes, and of the templates that they are made of. */
const sendable = new Set(['ReadText', 'OwnSessionText', 'ReadTemplate', 'OwnSessionTemplate']);

/** Every method of a host, a driver or the editor by which a text can be run on a server. */
const sending = new Set([
  'query',
  'execSqlBatch',
  'execSql',
  'callProcedure',
  'execBulkLoad',
  'runQuery',
  'runQueryString',
  'runQueryAndReturn',
  'runQueryStatement',
  'executeSimpleQuery',
  'executeQuery',
]);

/** Where a text is declared to be one that may be sent, as `path: type`. */
export function listDeclaredSendable(file: SourceFile): string[] {
  return list(file, (node) =>
    (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) && sendable.has(node.type.getText())
      ? `${file.path}: ${node.type.getText()}`
      : null,
  );
}

/** Where the types are got around: `path: as any`, `path: @ts-ignore`. A cast by way of `unknown` to a text that may be sent is among the declared ones. */
export function listEscapes(file: SourceFile): string[] {
  const comments = /@ts-(ignore|nocheck|expect-error)/.exec(file.text);
  const casts = list(file, (node) =>
    ts.isAsExpression(node) && /^(any|never)$/.test(node.type.getText()) ? `${file.path}: as ${node.type.getText()}` : null,
  );
  return comments === null ? casts : [...casts, `${file.path}: ${comments[0]}`];
}

/** Where a text is given to a server, as `path: method`. */
export function listSendings(file: SourceFile): string[] {
  return list(file, (node) =>
    ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && sending.has(node.expression.name.text)
      ? `${file.path}: ${node.expression.name.text}`
      : null,
  );
}

/** The commands of the editor and of other extensions that we execute, as `path: command`; what is no literal stands as it is written. */
export function listExecutedCommands(file: SourceFile): string[] {
  return list(file, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
    if (node.expression.name.text !== 'executeCommand') return null;
    const [id] = node.arguments;
    return `${file.path}: ${id !== undefined && ts.isStringLiteralLike(id) ? id.text : (id?.getText() ?? '')}`;
  });
}

function list(file: SourceFile, find: (node: ts.Node) => string | null): string[] {
  return [...new Set(listFound(file, find))];
}
