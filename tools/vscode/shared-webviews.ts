import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The page around each webview. */
const PAGE = 'out/vs/workbench/contrib/webview/browser/pre/index.html';
const OWN_WORKER = '&id=${ID}';

/**
 * Lets webviews of one origin share one service worker. VS Code gives each webview an origin of its own, on the
 * network. code-server gives all of them its own origin, and each webview's worker replaces the one before: if two load
 * at the same time, as after a reload, one stays blank. The page names its script by hash, so the hash is computed
 * again. Done once; does not change a page that is not as expected.
 */
export function shareServiceWorker(vscode: string): void {
  const path = join(vscode, PAGE);
  const page = readFileSync(path, 'utf8');
  const changed = page.replace(OWN_WORKER, '');
  if (changed === page) return;
  writeFileSync(path, changed.replace(hashScript(page), hashScript(changed)));
}

function hashScript(page: string): string {
  const script = /<script[^>]*>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
  return createHash('sha256').update(script).digest('base64');
}
