'use strict';
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const SEPARATOR = `\n\n${'-'.repeat(80)}\n\n`;
/** Packages that are published without the text of their licence, with the copyright lines of their repository. */
const WITHOUT_TEXT = {
  '@vscode/l10n': 'Copyright (c) Microsoft Corporation.',
  saxes:
    'Copyright (c) Contributors\nCopyright (c) Isaac Z. Schlueter and Contributors (of sax, which saxes was made from)',
};
const TEXTS = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  ISC: `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
};

/**
 * Writes the licence texts of all packages that are really in the bundles into one file. One instance is shared by all
 * configurations; the file is written with the one that ends last.
 */
class NoticesPlugin {
  #folders = new Set();
  #waitingFor;

  /**
   * @param {{file: string, lastOf: readonly string[]}} options name of the asset, names of the configurations that
   * share this instance
   */
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
          compilation.emitAsset(
            this.file,
            new compiler.webpack.sources.RawSource(writeNotices([...this.#folders])),
          );
      });
    });
  }
}

function listPackageFolders(compilation) {
  const files = [...compilation.modules]
    .flatMap((module) => [module, ...(module.modules ?? [])])
    .map((module) => module.resource);
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
  return (
    ['Checkpoint Health contains the following third-party packages.', ...notices].join(SEPARATOR) + '\n'
  );
}

function writeNotice(folder) {
  const { name, version, license, homepage } = readPackage(folder);
  const texts = readdirSync(folder).filter((file) =>
    /^(licen[cs]e|notice|copying)(?!.*\.[jt]s$)/i.test(file),
  );
  const body = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (body.length === 0 && TEXTS[license] && WITHOUT_TEXT[name])
    body.push(`${WITHOUT_TEXT[name]}\n\n${TEXTS[license]}`);
  if (body.length === 0)
    throw new Error(`${name} ${version} holds no licence text: it cannot be shipped as it is`);
  return [`${name} ${version}`, `License: ${license}`, homepage ?? '', '', ...body].join('\n');
}

module.exports = { NoticesPlugin, SEPARATOR, writeNotice };
