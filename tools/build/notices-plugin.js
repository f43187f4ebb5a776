'use strict';
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

/**
 * Writes the licence texts of all packages that are really in the bundles into one file. One instance is shared by all configurations;
 * the file is written with the one that ends last.
 */
class NoticesPlugin {
  #folders = new Set();
  #waitingFor;

  /** @param {{file: string, lastOf: readonly string[]}} options name of the asset, names of the configurations that share this instance */
  constructor({ file, lastOf }) {
    this.file = file;
    this.#waitingFor = new Set(lastOf);
  }

  /** @param {import('webpack').Compiler} compiler */
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('NoticesPlugin', (compilation) => {
      const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'NoticesPlugin', stage }, () => {
        for (const folder of listPackageFolders(compilation)) this.#folders.add(folder);
        this.#waitingFor.delete(compiler.name);
        if (this.#waitingFor.size === 0)
          compilation.emitAsset(this.file, new compiler.webpack.sources.RawSource(writeNotices([...this.#folders])));
      });
    });
  }
}

function listPackageFolders(compilation) {
  const files = [...compilation.modules].flatMap((module) => [module, ...(module.modules ?? [])]).map((module) => module.resource);
  return new Set(files.filter((file) => file?.includes('node_modules')).map(findPackageFolder));
}

/* A package may hold package.json files without a name deeper inside. */
function findPackageFolder(file) {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json')) || !readPackage(folder).name) folder = dirname(folder);
  return folder;
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function writeNotices(folders) {
  const notices = folders.map(writeNotice).sort();
  return ['Checkpoint Health contains the following third-party packages.', ...notices].join(`\n\n${'-'.repeat(80)}\n\n`) + '\n';
}

function writeNotice(folder) {
  const { name, version, license, homepage } = readPackage(folder);
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)(?!.*\.[jt]s$)/i.test(file));
  if (texts.length === 0) throw new Error(`${name} ${version} holds no licence text: it cannot be shipped as it is`);
  const body = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version}`, `License: ${license}`, homepage ?? '', '', ...body].join('\n');
}

module.exports = { NoticesPlugin };
