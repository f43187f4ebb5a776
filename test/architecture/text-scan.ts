import type { SourceFile } from './import-scan';

/** Ways of showing a text that look at no name in it; `elements.ts` and `svg-tree.ts` have one of their own for each. */
const onPage: readonly RegExp[] = [
  /\.(textContent|innerText|innerHTML|outerHTML|ariaLabel)\s*=[^=]/,
  /(?<!\bthis)\.title\s*=[^=]/,
  /\bcreateTextNode\(/,
  /setAttribute\(\s*'(aria-label|title|placeholder)'/,
];
/** In the editor: `writeNotice` makes names visible. */
const inEditor: readonly RegExp[] = [/\bshow(Information|Warning|Error)Message\(\s*(?!writeNotice\(|makeVisible\()/];

const makers: ReadonlySet<string> = new Set(['src/webview/kit/elements.ts', 'src/webview/charts/svg-tree.ts']);

/** Where a text goes past what makes its names visible, each as `path:line`. */
export function listTextsPastMakers({ path, text }: SourceFile): string[] {
  if (makers.has(path)) return [];
  return (path.startsWith('src/webview/') ? onPage : inEditor).flatMap((way) => {
    const at = text.search(way);
    return at < 0 ? [] : [`${path}:${text.slice(0, at).split('\n').length}`];
  });
}
