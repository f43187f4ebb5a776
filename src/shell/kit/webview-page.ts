/** The page that a webview starts from: a place to draw in, style sheets, one script, and a policy that forbids everything else. */
import { t } from '../../core/language';


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
export const reviewStyles: readonly string[] = ['base.css', 'controls.css', 'tables.css', 'charts.css', 'narrow.css', 'review.css'];

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
    t("script-src 'nonce-{0}'", nonce),
    t('style-src {0}', cspSource),
    t('img-src {0} data:', cspSource),
    t('font-src {0}', cspSource),
    // default-src covers neither of these (docs/facts.md, Hosts 5).
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

export function writeWebviewPage(page: PageSurroundings): string {
  return t('<!DOCTYPE html>\n<html lang="{0}">\n<head>\n  <meta charset="utf-8">\n  <meta http-equiv="Content-Security-Policy" content="{1}">\n  <meta name="viewport" content="width=device-width, initial-scale=1">\n{2}\n  <title>{3}</title>\n</head>\n<body>\n  <div id="app" data-server-id="{4}" data-server-label="{5}"{6}></div>\n  <script nonce="{7}" src="{8}"></script>\n</body>\n</html>\n', page.texts === null ? 'en' : escapeAttribute(page.language), escapeAttribute(writePolicy(page)), page.styleUris.map((uri) => t('  <link rel="stylesheet" href="{0}">', escapeAttribute(uri))).join('\n'), escapeAttribute(page.title), escapeAttribute(page.serverId), escapeAttribute(page.serverLabel ?? t('Checkpoint Health')), writeTexts(page), escapeAttribute(page.nonce), escapeAttribute(page.scriptUri));
}

function writeTexts({ texts }: PageSurroundings): string {
  return texts === null ? '' : t(' data-texts="{0}"', escapeAttribute(JSON.stringify(texts)));
}

function escapeAttribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
