import { obtainBrowser } from '../browser/browser';
import { packageIfChanged } from '../build/vsix';
import { installVsCode } from '../vscode/install';
import { runMocha, runProgram, type Mocha, type Print } from './commands';
import { describeCheck, type Outcome } from './outcome';

/** What is checked in one go and counted together. */
export interface Stage {
  readonly name: string;
  /** The stage that must have passed before this one. It is run with it. */
  readonly needs?: Stage;
  /** Fetches what the stage needs. A Refusal means that the stage could not run. */
  readonly prepare?: () => Promise<unknown>;
  readonly run: (print: Print) => Promise<Outcome>;
}

/** Hundreds of sites and the busiest ones. */
export const MANY_SITES: readonly string[] = ['test/judgement/properties.test.ts'];
/**
 * Histories of hours, scripts in every situation, commands that judge many servers, the product by the other hosts and
 * on every platform.
 */
export const LONG_SIMULATIONS: readonly string[] = [
  'test/simulator/evidence/*.test.ts',
  'test/simulator/scripts/!(analysis|procedure).test.ts',
  ...['along', 'check', 'report', 'script', 'tracking'].map((name) => `test/simulator/fleet/${name}.test.ts`),
  ...['through-hosts', 'every-server', 'event-files', 'evidence', 'script-guards'].map(
    (name) => `test/simulator/product/${name}.test.ts`,
  ),
];
/**
 * The pane and the dashboard while a server is tracked, in a real VS Code: every export and state, and what a reload
 * keeps.
 */
export const DASHBOARD_DAYS: readonly string[] = ['dashboard', 'tree-while-tracking'].map(
  (name) => `test/e2e/${name}.test.ts`,
);
/** That a second build gives the same bytes. */
export const SECOND_BUILD = 'test/bundle/second-build.test.ts';
/** A user's days in a real VS Code, beyond the main job. */
export const LONG_DAYS: readonly string[] = ['everyday', 'bad-days', 'german', 'lake'].map(
  (name) => `test/e2e/${name}.test.ts`,
);
/** Every key, gesture and measure one by one, every page in German. */
export const LONG_ON_PAGE: readonly string[] = [
  'gestures',
  'pointer',
  'measuring',
  'german',
  'pinned',
  'charts',
].map((name) => `test/webview/browser/${name}.browser.test.ts`);

/** Real sockets with their time-outs, and lakes on a disk. They run with the simulated servers. */
const WITH_SOCKETS = [
  'test/hosts/direct/*.test.ts',
  'test/hosts/sql-tools-service.test.ts',
  'test/cli/*.test.ts',
];
/**
 * Tests that need more than Node, or more time; each kind is a stage of its own, or a part of npm run test:long. All
 * other folders of test/ are pure.
 */
const NOT_PURE = [
  ...MANY_SITES,
  ...WITH_SOCKETS,
  ...[
    'simulator',
    'sql-syntax',
    'sql-rows',
    'webview/browser',
    'pictures',
    'bundle',
    'e2e',
    'clients',
    'audit',
  ].map((folder) => `test/${folder}/**`),
  ...['live', 'azdata', 'mssql'].map((folder) => `test/${folder}/*.test.ts`),
];

const packageStage: Stage = { name: 'package', run: checkPackage };

/**
 * The stages of npm test, in two lanes that run at the same time, on two cores, and take about the same time. A browser
 * waits much: only one lane has some.
 */
export const lanes: readonly (readonly Stage[])[] = [
  [
    ...['tsconfig.json', 'src/webview/tsconfig.json', 'cli/tsconfig.json', 'simulator/tsconfig.json'].map(
      checkTypes,
    ),
    ofProgram('lint', 'oxlint/bin/oxlint', []),
    ofProgram('format', 'oxfmt/bin/oxfmt', ['--list-different']),
    packageStage,
    {
      ...ofTests('bundle', { files: ['test/bundle/**/*.test.ts'], ignored: [SECOND_BUILD] }),
      needs: packageStage,
    },
    inBrowser('webview', { files: ['test/webview/browser/**/*.test.ts'], ignored: LONG_ON_PAGE }),
    ofTests('sql', { files: ['test/sql-syntax/**/*.test.ts', 'test/sql-rows/*.test.ts'] }),
    inEditor('e2e', { files: ['test/e2e/*.test.ts'], ignored: [...LONG_DAYS, ...DASHBOARD_DAYS] }),
  ],
  [
    checkTypes('test/tsconfig.json'),
    ofTests('pure', { files: ['test/**/*.test.ts'], ignored: NOT_PURE }),
    ofTests('simulator', {
      files: ['test/simulator/**/*.test.ts', ...WITH_SOCKETS],
      ignored: LONG_SIMULATIONS,
    }),
  ],
];

/** Test files in one Mocha. */
export function ofTests(name: string, mocha: Mocha): Stage {
  return { name, run: (print) => runMocha(name, mocha, print) };
}

/** Tests in a Chromium. */
export function inBrowser(name: string, mocha: Mocha): Stage {
  return { ...ofTests(name, mocha), prepare: obtainBrowser };
}

/** Tests of the packaged extension in a real VS Code. */
export function inEditor(name: string, mocha: Mocha): Stage {
  const prepare = (): Promise<unknown> => Promise.all([installVsCode(), obtainBrowser()]);
  return { ...ofTests(name, mocha), needs: packageStage, prepare };
}

function ofProgram(name: string, program: string, args: readonly string[]): Stage {
  return { name, run: (print) => runProgram(name, program, args, print) };
}

function checkTypes(project: string): Stage {
  return ofProgram(
    `types ${project.replace(/\/?tsconfig\.json$/, '') || 'src'}`,
    'typescript-native/bin/tsc',
    ['-p', project, '--pretty', 'false'],
  );
}

async function checkPackage(print: Print): Promise<Outcome> {
  try {
    await packageIfChanged();
    return describeCheck('package', true);
  } catch (error) {
    print(`${(error as Error).message}\n`);
    return describeCheck('package', false);
  }
}
