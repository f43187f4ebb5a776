import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../fail';
import { root } from '../packages';
import { runLeashed } from '../processes/leashed';
import { createHash } from 'node:crypto';

/** The folder for everything that is fetched for tests and for npm start, and never shipped. */
export const hostFolder = join(root, '.host');

/**
 * Versions of the npm package that contains a whole VS Code server. Each was tried (docs/libraries.md, VS Code from
 * npm).
 */
const codeServer = { vscode: '4.100.3', 'vscode-newest': '4.139.1' } as const;

/**
 * Installs npm packages into `.host/<name>`, once for each version, without running their install scripts. Gives the
 * folder.
 */
export async function installSideFolder(
  name: string,
  dependencies: Readonly<Record<string, string>>,
  finish?: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(hostFolder, name);
  const stamp = join(folder, 'installed.json');
  const wanted = JSON.stringify({ private: true, dependencies });
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), wanted);
  await npmInstall(folder);
  await finish?.(folder);
  writeFileSync(stamp, wanted);
  return folder;
}

/**
 * Installs the VS Code server and gives its folder. The package's own shrinkwrap files pin the versions of everything
 * inside.
 * @param name the newest one needs a newer Node than the tools do
 */
export async function installVsCode(name: keyof typeof codeServer = 'vscode'): Promise<string> {
  const inside = (folder: string): string => join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  const folder = await installSideFolder(name, { 'code-server': codeServer[name] }, async (installed) => {
    await npmInstall(inside(installed));
    await npmInstall(join(inside(installed), 'extensions'));
  });
  shareServiceWorker(inside(folder));
  return inside(folder);
}

/*
 * Install scripts are off: code-server's own script downloads something, which closed networks refuse, and nothing
 * native is needed.
 */
async function npmInstall(folder: string): Promise<void> {
  const args = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { exitCode, output } = await runLeashed('npm', args, { cwd: folder });
  if (exitCode !== 0)
    throw new Refusal(
      `npm install failed in ${folder} (${output.trim()}): check the network and run the command again.`,
    );
}

/** The page around each webview. */
const PAGE = 'out/vs/workbench/contrib/webview/browser/pre/index.html';
const OWN_WORKER = '&id=${ID}';

/**
 * Lets webviews of one origin share one service worker. VS Code gives each webview an origin of its own, on the
 * network. code-server gives all of them its own origin, and each webview's worker replaces the one before: if two load
 * at the same time, as after a reload, one stays blank. The page names its script by hash, so the hash is computed
 * again. Done once; does not change a page that is not as expected.
 */
function shareServiceWorker(vscode: string): void {
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
