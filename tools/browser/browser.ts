import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { installDebianPackages, mayInstallDebianPackages } from '../programs';
import { Refusal } from '../fail';
import { runLeashed } from '../processes/leashed';

const programNames = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'google-chrome-beta',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const macPrograms = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
/** On a closed network this should fail soon, so that another way can be tried. */
const downloadConnectionTimeoutMs = '10000';
const howToGetOne =
  'No Chromium was found and none could be installed: install one (Debian: apt-get install chromium; macOS: brew install --cask google-chrome), or set CHROME_PATH to a Chrome, Chromium or Edge program.';

/**
 * Gives the path of a Chromium: from CHROME_PATH, from this machine, downloaded by Playwright, or from Debian.
 * @throws Refusal with the command to type if there is none and none can be installed.
 */
export function obtainBrowser(): Promise<string> {
  obtaining ??= obtainOnce();
  return obtaining;
}

/** One download or installation for all who wait. */
let obtaining: Promise<string> | undefined;

async function obtainOnce(): Promise<string> {
  return findBrowser() ?? (await downloadBrowser()) ?? (await installDebianBrowser()) ?? refuse();
}

function findBrowser(): string | undefined {
  const named = process.env['CHROME_PATH'];
  if (named)
    return canRun(named)
      ? named
      : refuse(
          `CHROME_PATH is ${named}, which is not a program: correct it, or unset it to have a browser looked for.`,
        );
  const onPath = programNames.flatMap((name) =>
    (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)),
  );
  return [...onPath, ...(process.platform === 'darwin' ? macPrograms : []), chromium.executablePath()].find(
    canRun,
  );
}

/** Flags that Chromium needs here. It does not start as root with its sandbox on. */
export const browserFlags: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function downloadBrowser(): Promise<string | undefined> {
  console.log('No Chromium found: downloading one (playwright-core install chromium) ...');
  const playwright = join(require.resolve('playwright-core/package.json'), '..', 'cli.js');
  const env = { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: downloadConnectionTimeoutMs, ...process.env };
  const run = (...args: readonly string[]) =>
    runLeashed(process.execPath, [playwright, ...args, 'chromium'], { env });
  if ((await run('install')).exitCode !== 0) return undefined;
  if (mayInstallDebianPackages()) await run('install-deps');
  return findBrowser();
}

async function installDebianBrowser(): Promise<string | undefined> {
  return (await installDebianPackages(['chromium'], "Debian's own Chromium")) ? findBrowser() : undefined;
}

function refuse(sentence = howToGetOne): never {
  throw new Refusal(sentence);
}
