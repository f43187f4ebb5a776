/** The import table of src/README.md as data. Whatever is not allowed here is not allowed. */

/** What a part may import: another part by its name, a package, or a built-in module of Node by its `node:` name. */
export interface Permission {
  readonly name: string;
  /** Types disappear in the build: such an import carries no code across. */
  readonly typesOnly?: boolean;
  /** With `typesOnly`: files whose code may be imported all the same. Matched against the path, as an import writes it. */
  readonly codeOf?: RegExp;
  readonly reason: string;
}

/** A part of the house: the files that belong to it and what those may import besides each other. */
export interface Part {
  readonly name: string;
  /** Matched against the path from the root of the project, with `/`. The first part that matches owns the file. */
  readonly files: RegExp;
  readonly mayImport: readonly Permission[];
}

const coreTypes: Permission = { name: 'core', typesOnly: true, reason: 'the vocabulary that everyone shares' };
const coreTypesAndTexts: Permission = {
  ...coreTypes,
  codeOf: /^src\/core\/language$/,
  reason: 'the vocabulary that everyone shares, and its texts',
};
const vscode: Permission = { name: 'vscode', reason: 'the host that this part is written for' };

/** Packages that core may use: pure, free of dependencies and of side effects. */
const corePackages: readonly Permission[] = [
  { name: '@vscode/l10n', reason: 'texts in, texts out: looks up what the bundle of the language says; no dependencies' },
];

export const parts: readonly Part[] = [
  {
    name: 'core/export/parquet',
    files: /^src\/core\/export\/parquet\.ts$/,
    mayImport: [
      { name: 'core', reason: 'it is pure as core is, and apart from it so that nobody loads the package unasked' },
      { name: 'hyparquet-writer', reason: 'values in, bytes out; needs only hyparquet, by the same people' },
    ],
  },
  { name: 'core', files: /^src\/core\//, mayImport: corePackages },
  {
    name: 'protocol',
    files: /^src\/(protocol|received)\.(ts|schema\.json)$/,
    mayImport: [
      {
        ...coreTypes,
        codeOf: /^src\/core\/(schema|language)$/,
        reason: 'the vocabulary that everyone shares, and what reads it from outside',
      },
    ],
  },
  { name: 'sql', files: /^sql\//, mayImport: [] },
  {
    name: 'texts',
    files: /^src\/(texts|sql-text\.d)\.ts$/,
    mayImport: [coreTypes, { name: 'sql', reason: 'its one purpose is to bring the files of sql/ into the bundle' }],
  },
  {
    name: 'webview',
    files: /^src\/webview\//,
    mayImport: [
      { name: 'core', reason: 'the same reduction and formatting as in the extension' },
      { name: '@vscode/l10n', reason: 'takes up the language that its page was given' },
      { name: 'protocol', reason: 'the messages' },
      ...['d3-array', 'd3-axis', 'd3-brush', 'd3-format', 'd3-interpolate', 'd3-scale', 'd3-selection', 'd3-shape', 'd3-time-format'].map(
        (name) => ({
          name,
          reason: 'scales and axes',
        }),
      ),
    ],
  },
  { name: 'hosts/host', files: /^src\/hosts\/host\.ts$/, mayImport: [coreTypes] },
  {
    name: 'hosts/waiting',
    files: /^src\/hosts\/(waiting|sql-tools-service)\.ts$/,
    mayImport: [{ name: 'node:net', reason: 'the service does not say whether a server was not reached or refused the login' }],
  },
  {
    name: 'hosts/azdata',
    files: /^src\/hosts\/azdata\//,
    mayImport: [
      coreTypesAndTexts,
      vscode,
      { name: 'hosts/host', reason: 'implements it' },
      { name: 'hosts/waiting', reason: 'neither product can be stopped' },
      { name: 'azdata', reason: 'the only place that knows this host' },
    ],
  },
  {
    name: 'hosts/mssql',
    files: /^src\/hosts\/mssql\//,
    mayImport: [
      coreTypesAndTexts,
      vscode,
      { name: 'hosts/host', reason: 'implements it' },
      { name: 'hosts/waiting', reason: 'neither product can be stopped' },
    ],
  },
  {
    name: 'hosts/direct',
    files: /^src\/hosts\/direct\/(?!azure-left-out)/,
    mayImport: [
      coreTypesAndTexts,
      { name: 'hosts/host', reason: 'implements it' },
      { name: 'tedious', reason: 'the driver' },
      { name: 'node:net', typesOnly: true, reason: "the type of the driver's socket" },
      { name: 'node:crypto', reason: 'tells refused passwords apart without keeping them' },
    ],
  },
  { name: 'hosts/direct/azure-left-out', files: /^src\/hosts\/direct\/azure-left-out\.ts$/, mayImport: [] },
  {
    name: 'captures',
    files: /^src\/captures\//,
    mayImport: [
      { name: 'core', reason: 'reads and writes captures' },
      { name: 'node:fs', typesOnly: true, reason: 'the file system is passed in' },
      { name: 'node:fs/promises', typesOnly: true, reason: 'the file system is passed in' },
    ],
  },
  {
    name: 'lake',
    files: /^src\/lake\//,
    mayImport: [
      { name: 'core', reason: 'what is wrong with a lake, in the language of the user' },
      { name: 'hyparquet', reason: 'reads what was written' },
      { name: 'hyparquet-writer', reason: 'writes Parquet' },
      { name: 'node:crypto', reason: 'names of files that nobody else takes' },
      { name: 'node:fs/promises', reason: 'a lake is a folder, and commits are hard links' },
      { name: 'node:path', reason: 'a lake is a folder' },
    ],
  },
  {
    name: 'monitor',
    files: /^src\/monitor\//,
    mayImport: [
      { name: 'core', reason: 'rows become events, checkpoints and facts' },
      { name: 'texts', reason: 'what it asks' },
      { name: 'hosts/host', reason: 'whom it asks' },
      { name: 'captures', reason: 'keeps what it follows' },
    ],
  },
  {
    name: 'shell',
    files: /^src\/shell\//,
    mayImport: [
      vscode,
      { name: '@vscode/l10n', reason: 'takes up the language of the editor' },
      { name: 'core', reason: 'shows what core decided' },
      { name: 'core/export/parquet', reason: 'loaded when somebody exports Parquet' },
      { name: 'protocol', reason: 'the messages' },
      { name: 'texts', reason: 'shows T-SQL before it runs' },
      { name: 'monitor', reason: 'the servers' },
      { name: 'captures', reason: 'opens and saves them' },
      { name: 'lake', reason: 'loaded when somebody opens one' },
      { name: 'hosts/host', reason: 'opens scripts' },
      { name: 'node:crypto', reason: 'ids of servers and nonces for the webview that nobody can guess' },
      { name: 'node:os', reason: 'the folder in which the first file to be saved is offered' },
    ],
  },
  {
    name: 'extension',
    files: /^src\/extension\.ts$/,
    mayImport: [
      vscode,
      ...['hosts/host', 'hosts/azdata', 'hosts/mssql', 'hosts/direct', 'monitor', 'captures', 'shell'].map((name) => ({
        name,
        reason: 'wires it',
      })),
      { name: 'core', reason: 'wires it' },
      { name: 'texts', reason: 'wires it' },
      { name: 'node:fs/promises', reason: 'the file system that captures are given' },
      { name: 'node:crypto', reason: 'the hash that change records are given' },
    ],
  },
  {
    name: 'cli',
    files: /^cli\/src\//,
    mayImport: [
      { name: 'core', reason: 'the same evidence as in the editor' },
      { name: 'captures', reason: 'keeps the state of a server as the editor keeps a capture' },
      { name: 'monitor', reason: 'the servers' },
      { name: 'texts', reason: 'asks a central management server' },
      { name: 'hosts/host', reason: 'its own servers' },
      { name: 'hosts/direct', reason: 'its only way to a server' },
      {
        name: 'webview',
        typesOnly: true,
        codeOf: /^src\/webview\/(kit\/colour-ramp|timeline\/lanes\/(lane-shapes|lane-strip|timeline-layout))$/,
        reason: 'pictures in reports are those of the dashboard',
      },
      { name: 'lake', reason: 'what it writes' },
      { name: 'commander', reason: 'reads the command line' },
      { name: 'saxes', reason: 'reads registered servers of SSMS' },
      { name: 'node:*', reason: 'it is a program of its own' },
    ],
  },
  {
    name: 'simulator',
    files: /^simulator\//,
    mayImport: [
      { name: '@duckdb/node-api', reason: 'executes the read queries' },
      { name: 'js-md4', reason: 'checks the proofs of Windows logins; Node has MD4 no longer' },
      { name: 'saxes', reason: 'reads the event XML that queries take apart with value() and nodes()' },
      { name: 'selfsigned', reason: 'makes the certificate for TLS' },
      { name: 'node:*', reason: 'it is a program of its own' },
    ],
  },
];
