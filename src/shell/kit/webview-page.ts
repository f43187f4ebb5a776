/**
 * The page that a webview starts from: a place to draw in, style sheets, one script, and a policy that forbids
 * everything else.
 */

/** Style sheets of the dashboard in media/styles, in order: later rules win, and those for narrow pages come last. */
export const dashboardStyles: readonly string[] = [
  'base.css',
  'controls.css',
  'timeline.css',
  'tables.css',
  'charts.css',
  'reading.css',
  'narrow.css',
];
/** Style sheets of the script review. */
export const reviewStyles: readonly string[] = [
  'base.css',
  'controls.css',
  'tables.css',
  'charts.css',
  'narrow.css',
  'review.css',
];

interface PageSurroundings {
  readonly nonce: string;
  /** `webview.cspSource`. */
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUris: readonly string[];
  readonly title: string;
  /** The webview keeps it with its state, so that a restored panel knows its server. */
  readonly serverId: string;
  /** The user's name for the server, shown until the server answers. */
  readonly serverLabel?: string;
  /** Of the editor, as in `vscode.env.language`. */
  readonly language: string;
  /** The texts of that language; null in English, whose texts stand in the code. */
  readonly texts: Readonly<Record<string, string>> | null;
}

/** The content security policy (docs/facts.md, Hosts 5). */
export function writePolicy({ nonce, cspSource }: Pick<PageSurroundings, 'nonce' | 'cspSource'>): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `img-src ${cspSource} data:`,
    `font-src ${cspSource}`,
    // default-src covers neither of these (docs/facts.md, Hosts 5).
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

export function writeWebviewPage(page: PageSurroundings): string {
  return `<!DOCTYPE html>
<html lang="${page.texts === null ? 'en' : escapeAttribute(page.language)}">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${escapeAttribute(writePolicy(page))}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
${page.styleUris.map((uri) => `  <link rel="stylesheet" href="${escapeAttribute(uri)}">`).join('\n')}
  <title>${escapeAttribute(page.title)}</title>
</head>
<body>
  <div id="app" data-server-id="${escapeAttribute(page.serverId)}" data-server-label="${escapeAttribute(page.serverLabel ?? 'Checkpoint Health')}"${writeTexts(page)}></div>
  <script nonce="${escapeAttribute(page.nonce)}" src="${escapeAttribute(page.scriptUri)}"></script>
</body>
</html>
`;
}

function writeTexts({ texts }: PageSurroundings): string {
  return texts === null ? '' : ` data-texts="${escapeAttribute(JSON.stringify(texts))}"`;
}

function escapeAttribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
