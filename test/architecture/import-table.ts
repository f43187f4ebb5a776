/** The import table of src/README.md as data, with a reason for each import. Whatever is not allowed here is not allowed. */

/** A part of the house: the files that belong to it and what those may import besides each other. */
interface Part {
  /** Matched against the path from the root of the project, with `/`. The first part that matches owns the file. */
  readonly files: RegExp;
  /**
   * The reason for each: of a part or a package by its name, of a built-in module by its `node:` name, of one file by its path without `.ts`. `types of`
   * something carry no code across: they disappear in the build.
   */
  readonly mayImport: Readonly<Record<string, string>>;
}

const CORE_TYPES = { 'types of core': 'the vocabulary that everyone shares' };
const CORE_TYPES_AND_TEXTS = { ...CORE_TYPES, 'src/core/language': 'its texts' };
const LANES = 'src/webview/timeline/lanes';

/** For each of them the same reason. */
const each = (reason: string, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, reason]));

export const PARTS: Readonly<Record<string, Part>> = {
  'core/export/parquet': {
    files: /^src\/core\/export\/parquet\.ts$/,
    mayImport: {
      core: 'it is pure as core is, and apart from it so that nobody loads the package unasked',
      'hyparquet-writer': 'values in, bytes out; needs only hyparquet, by the same people',
    },
  },
  core: {
    files: /^src\/core\//,
    mayImport: { '@vscode/l10n': 'texts in, texts out: looks up what the bundle of the language says; no dependencies, no side effects' },
  },
  protocol: {
    files: /^src\/(protocol|received)\.(ts|schema\.json)$/,
    mayImport: { ...CORE_TYPES_AND_TEXTS, 'src/core/schema': 'reads what comes from outside' },
  },
  sql: { files: /^sql\//, mayImport: {} },
  texts: {
    files: /^src\/(texts|sql-text\.d)\.ts$/,
    mayImport: { ...CORE_TYPES, sql: 'its one purpose is to bring the files of sql/ into the bundle' },
  },
  webview: {
    files: /^src\/webview\//,
    mayImport: {
      core: 'the same reduction and formatting as in the extension',
      '@vscode/l10n': 'takes up the language that its page was given',
      protocol: 'the messages',
      ...each('scales and axes', 'd3-array', 'd3-axis', 'd3-brush', 'd3-format', 'd3-interpolate', 'd3-scale', 'd3-selection'),
      ...each('scales and axes', 'd3-shape', 'd3-time-format'),
    },
  },
  'hosts/host': { files: /^src\/hosts\/host\.ts$/, mayImport: CORE_TYPES },
  'hosts/waiting': {
    files: /^src\/hosts\/(waiting|sql-tools-service)\.ts$/,
    mayImport: { 'node:net': 'the service does not say whether a server was not reached or refused the login' },
  },
  'hosts/azdata': {
    files: /^src\/hosts\/azdata\//,
    mayImport: {
      ...CORE_TYPES_AND_TEXTS,
      ...each('the host that it is written for', 'vscode', 'azdata'),
      'hosts/host': 'implements it',
      'hosts/waiting': 'neither product can be stopped',
    },
  },
  'hosts/mssql': {
    files: /^src\/hosts\/mssql\//,
    mayImport: {
      ...CORE_TYPES_AND_TEXTS,
      vscode: 'the host that it is written for',
      'hosts/host': 'implements it',
      'hosts/waiting': 'neither product can be stopped',
    },
  },
  'hosts/direct': {
    files: /^src\/hosts\/direct\/(?!azure-left-out)/,
    mayImport: {
      ...CORE_TYPES_AND_TEXTS,
      'hosts/host': 'implements it',
      tedious: 'the driver',
      'types of node:net': "the type of the driver's socket",
      'node:crypto': 'tells refused passwords apart without keeping them',
    },
  },
  'hosts/direct/azure-left-out': { files: /^src\/hosts\/direct\/azure-left-out\.ts$/, mayImport: {} },
  captures: {
    files: /^src\/captures\//,
    mayImport: {
      core: 'reads and writes captures',
      ...each('the file system is passed in', 'types of node:fs', 'types of node:fs/promises'),
    },
  },
  lake: {
    files: /^src\/lake\//,
    mayImport: {
      core: 'what is wrong with a lake, in the language of the user',
      hyparquet: 'reads what was written',
      'hyparquet-writer': 'writes Parquet',
      'node:crypto': 'names of files that nobody else takes',
      'node:fs/promises': 'a lake is a folder, and commits are hard links',
      'node:path': 'a lake is a folder',
    },
  },
  monitor: {
    files: /^src\/monitor\//,
    mayImport: {
      core: 'rows become events, checkpoints and facts',
      texts: 'what it asks',
      'hosts/host': 'whom it asks',
      captures: 'keeps what it follows',
    },
  },
  shell: {
    files: /^src\/shell\//,
    mayImport: {
      vscode: 'the host that it is written for',
      '@vscode/l10n': 'takes up the language of the editor',
      core: 'shows what core decided',
      'core/export/parquet': 'loaded when somebody exports Parquet',
      protocol: 'the messages',
      texts: 'shows T-SQL before it runs',
      monitor: 'the servers',
      captures: 'opens and saves them',
      lake: 'loaded when somebody opens one',
      'hosts/host': 'opens scripts',
      'node:crypto': 'ids of servers and nonces for the webview that nobody can guess',
      'node:os': 'the folder in which the first file to be saved is offered',
    },
  },
  extension: {
    files: /^src\/extension\.ts$/,
    mayImport: {
      vscode: 'the host that it is written for',
      ...each('wires it', 'hosts/host', 'hosts/azdata', 'hosts/mssql', 'hosts/direct', 'monitor', 'captures', 'shell', 'core', 'texts'),
      'node:fs/promises': 'the file system that captures are given',
      'node:crypto': 'the hash that change records are given',
    },
  },
  cli: {
    files: /^cli\/src\//,
    mayImport: {
      core: 'the same evidence as in the editor',
      captures: 'keeps the state of a server as the editor keeps a capture',
      monitor: 'the servers',
      texts: 'asks a central management server',
      'hosts/host': 'its own servers',
      'hosts/direct': 'its only way to a server',
      'types of webview': 'pictures in reports are those of the dashboard',
      ...each('draws them', 'src/webview/kit/colour-ramp', `${LANES}/lane-shapes`, `${LANES}/lane-strip`, `${LANES}/timeline-layout`),
      lake: 'what it writes',
      commander: 'reads the command line',
      saxes: 'reads registered servers of SSMS',
      'node:*': 'it is a program of its own',
    },
  },
  simulator: {
    files: /^simulator\//,
    mayImport: {
      '@duckdb/node-api': 'executes the read queries',
      'js-md4': 'checks the proofs of Windows logins; Node has MD4 no longer',
      saxes: 'reads the event XML that queries take apart with value() and nodes()',
      selfsigned: 'makes the certificate for TLS',
      'node:*': 'it is a program of its own',
    },
  },
};
