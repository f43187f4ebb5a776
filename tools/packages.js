'use strict';
/* Runs before anything is installed: Node built-ins only. */
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Refusal } = require('./fail.js');
const { startLeashed } = require('./processes/leashed.js');

const root = join(__dirname, '..');

/** Refuses, in one sentence, a machine that the tools were not written for. */
function requireMachine() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20)
    throw new Refusal(
      `Node 20 or newer is needed and this is ${process.versions.node}: install it from https://nodejs.org and run the command again.`,
    );
  if (process.platform === 'win32')
    throw new Refusal('The tools need Linux or macOS: on Windows run the command in WSL.');
}

/** Makes node_modules what package-lock.json says. Does nothing when it already is. */
async function installPackages() {
  if (packagesAreCurrent()) return;
  console.log('Installing packages (npm ci) ...');
  const npm = startLeashed('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    showOutput: true,
  });
  if ((await npm.ended) !== 0)
    throw new Refusal(
      'npm ci failed: see its message above, check the network or the npm registry setting, and run the command again.',
    );
}

/**
 * Loads a TypeScript file of tools/, once the packages are there.
 * @param {string} file relative to tools/
 */
function requireInstalled(file) {
  require('tsx/cjs');
  return require(file);
}

/*
 * npm keeps a copy of what it installed; comparing the two needs no clock and survives a fresh checkout and a branch
 * change. Optional packages of other platforms are never installed.
 */
function packagesAreCurrent() {
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(installedFile);
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' || (entry.optional && !installed[path]) || installed[path]?.version === entry.version,
  );
}

/** @param {string} file @returns {Record<string, {version?: string, optional?: boolean}>} */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

module.exports = { root, requireMachine, installPackages, requireInstalled };
