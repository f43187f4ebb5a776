/** Texts of the screen: which go through `t`, and which go past it. */
import ts from 'typescript';
import { listFound, placeOf, readSourceFiles, type SourceFile } from './source-files';

/** A text as the code gives it to `t`, with the key that a bundle has for it. */
export interface ScreenText {
  readonly key: string;
  /** In English, with {0}, {1} where values go. */
  readonly message: string;
  /** `path:line`. */
  readonly place: string;
}

/** Every call of `t`. A call without a literal is given as a text with an empty key. */
export function listScreenTexts(file: SourceFile): ScreenText[] {
  return listFound(file, (node) => {
    if (!isCallOf(node, /^t$/)) return null;
    const [first] = node.arguments;
    const { message, comment } = readMessage(first);
    return { key: comment === '' ? message : `${message}/${comment}`, message, place: placeOf(node) };
  });
}

/** Every text that reads like something for a person and does not go through `t`, as `path:line: text`. */
export function listTextsPastBundles(file: SourceFile): string[] {
  return listFound(file, (node) => {
    const text = readText(node);
    return text === null || !isForPeople(text) || isCode(text) || isForMachines(node) ? null : `${placeOf(node)}: ${text}`;
  });
}

let codes: ReadonlySet<string> | null = null;

/** A member of a union of literals: 'mostly free', 'Switch'. Programs compare and keep it; where it is shown, a table gives its text. */
function isCode(text: string): boolean {
  codes ??= new Set(readSourceFiles('src').flatMap(listCodes));
  return codes.has(text);
}

/** Literals in types, and members of lists that are types: `[...] as const` at the head of a file. */
function listCodes(file: SourceFile): string[] {
  return listFound(file, (node) => {
    if (!ts.isStringLiteral(node)) return null;
    const isType = ts.isLiteralTypeNode(node.parent);
    const isMember = ts.isArrayLiteralExpression(node.parent) && ts.isAsExpression(node.parent.parent);
    return isType || (isMember && ts.isSourceFile(node.parent.parent.parent.parent.parent.parent)) ? node.text : null;
  });
}

/** Two words, or one with a capital: a code of ours is lowercase, a name of SQL Server is in capitals or has no blank. A unit or an id is no word. */
function isForPeople(text: string): boolean {
  if (/^((\{0?\}|\d+) ms|database_id \{\})$/.test(text) || isCss(text)) return false;
  return /[a-z]{2}/.test(text) && (/[\p{L}\d}),.;:%…·”"] +[\p{L}{(“"]/u.test(text) || /^[A-Z][a-z]{2,}(…|\.\.\.)?$/.test(text));
}

/** A selector, a transform, a gradient or a font. */
function isCss(text: string): boolean {
  return /^\.[\w-]+, |:not\(|^(translate|inset|linear-gradient)\(|sans-serif$|^(600 \d+px|\{\} \{\}px) \{\}$/.test(text);
}

/** The text of a literal, with {} where a template has a value. */
function readText(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('') : null;
}

const COMPARISONS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

/** Imports, types, cases, comparisons, names of properties, kinds, classes, keys, titles of published pages, and the messages of errors that only a bug throws. */
function isForMachines(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isCaseClause(parent)) return true;
  if (ts.isBinaryExpression(parent) && COMPARISONS.has(parent.operatorToken.kind)) return true;
  if ((ts.isPropertyAssignment(parent) && parent.name === node) || ts.isElementAccessExpression(parent)) return true;
  if (isTitleOfSource(parent)) return true;
  for (let at: ts.Node = parent; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isTypeNode(at) || isCallOf(at, FOR_MACHINES)) return true;
    if (ts.isPropertyAssignment(at) && /^(kind|class|key|'aria-describedby')$/.test(at.name.getText())) return true;
    if (ts.isNewExpression(at) && /^(Range|Type)?Error$/.test(at.expression.getText())) return true;
    if (ts.isStatement(at)) return false;
  }
  return false;
}

/** Of a published page: `{ title: '...', url: ... }`. It has the name that its author gave it. */
function isTitleOfSource(node: ts.Node): boolean {
  if (!ts.isPropertyAssignment(node) || node.name.getText() !== 'title' || !ts.isObjectLiteralExpression(node.parent)) return false;
  return node.parent.properties.some(({ name }) => name?.getText() === 'url');
}

/** `t` itself, functions whose text is a pattern, a selector, a class, a key or the title of a page, and lines of the log. */
const FOR_MACHINES =
  /^(t|fail|citeLearn|querySelector|querySelectorAll|closest|matches|startsWith|endsWith|includes|indexOf|split|replace|replaceAll|get|has|RegExp|require|addEventListener|attr|setAttribute|executeCommand|info|warn|error)$/;

function isCallOf(node: ts.Node, name: RegExp): node is ts.CallExpression {
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  return name.test(ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText());
}

/** Of `t('...')` or of `t({ message: '...', comment: ['...'] })`. */
function readMessage(node: ts.Expression | undefined): { readonly message: string; readonly comment: string } {
  if (node !== undefined && ts.isStringLiteralLike(node)) return { message: node.text, comment: '' };
  if (node === undefined || !ts.isObjectLiteralExpression(node)) return { message: '', comment: '' };
  const read = (name: string): string => {
    const found = node.properties.find((one) => one.name?.getText() === name);
    if (found === undefined || !ts.isPropertyAssignment(found)) return '';
    const parts = ts.isArrayLiteralExpression(found.initializer) ? [...found.initializer.elements] : [found.initializer];
    return parts.map((part) => (ts.isStringLiteralLike(part) ? part.text : '')).join('');
  };
  return { message: read('message'), comment: read('comment') };
}
