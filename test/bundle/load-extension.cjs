'use strict';
/*
 * Loads and activates the bundled extension outside any editor, with a `vscode` that agrees to everything, and prints
 * as JSON what that took. usage: node load-extension.cjs path/to/dist/extension.js Runs on Node 16.
 */
const Module = require('node:module');
const { basename, dirname } = require('node:path');

const file = process.argv[2];
const requested = new Set();
const load = Module._load;
Module._load = (request, ...rest) => {
  requested.add(request);
  if (request === 'vscode') return agreeable;
  return load(request, ...rest);
};

/* Whatever is read from it, called or constructed is it again; it is never awaited for ever and never iterated. */
const agreeable = new Proxy(function () {}, {
  set: () => true,
  get: (_, key) =>
    key === 'then'
      ? undefined
      : key === Symbol.toPrimitive
        ? () => ''
        : key === Symbol.iterator
          ? () => [][Symbol.iterator]()
          : agreeable,
  apply: () => agreeable,
  construct: () => agreeable,
});

async function main() {
  const beganMs = performance.now();
  const extension = require(file);
  const loadedMs = performance.now();
  const afterLoading = listLoaded();
  await extension.activate({
    subscriptions: [],
    extension: { id: 'checkpoint-health.checkpoint-health', packageJSON: { version: '0.0.0' } },
    extensionUri: agreeable,
    globalState: agreeable,
    workspaceState: agreeable,
    secrets: agreeable,
    globalStorageUri: agreeable,
  });
  const activatedMs = performance.now();
  const answer = {
    node: process.version,
    afterLoading,
    afterActivation: listLoaded(),
    loadMs: loadedMs - beganMs,
    activateMs: activatedMs - loadedMs,
  };
  process.stdout.write(JSON.stringify(answer), () => process.exit(0));
}

function listLoaded() {
  const bundles = Object.keys(require.cache).filter((path) => dirname(path) === dirname(file));
  return {
    bundles: bundles.map((path) => basename(path)),
    requested: [...requested].filter((name) => name !== file),
  };
}

const { performance } = require('node:perf_hooks');
void main();
