/* Runs before anything is installed: Node built-ins only. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from './fail.mjs';
import { startLeashed } from './processes/leashed.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Refuses, in one sentence, a Node that the tools were not written for. */
export function requireNode20() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20)
    throw new Refusal(
      `Node 20 or newer is needed and this is ${process.versions.node}: install it from https://nodejs.org and run the command again.`,
    );
}

/** Makes node_modules what package-lock.json says. Does nothing when it already is. */
export async function installPackages() {
  if (packagesAreCurrent()) return;
  console.log('Installing packages (npm ci) ...');
  const npm = startLeashed('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, showOutput: true });
  if ((await npm.ended) !== 0)
    throw new Refusal('npm ci failed: see its message above, check the network or the npm registry setting, and run the command again.');
}

/**
 * Loads a TypeScript file of tools/, once the packages are there.
 * @param {string} file relative to tools/
 */
export function requireInstalled(file) {
  const require = createRequire(import.meta.url);
  require('tsx/cjs');
  return require(file);
}

/* npm keeps a copy of what it installed; comparing the two needs no clock and survives a fresh checkout and a branch change. Optional packages of other platforms are never installed. */
function packagesAreCurrent() {
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(installedFile);
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || (entry.optional && !installed[path]) || installed[path]?.version === entry.version,
  );
}

/** @param {string} file @returns {Record<string, {version?: string, optional?: boolean}>} */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
