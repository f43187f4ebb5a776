import { obtainBrowser } from '../browser/browser';
import { packageAll } from '../build/vsix';
import { installVsCode } from '../vscode/install';
import { installNewestVsCode } from '../vscode/server';
import { runMocha, runProgram, type Print } from './commands';
import { describeCheck, type Outcome } from './outcome';

/** One part of npm test. */
export interface Stage {
  readonly name: string;
  /** Runs only if it is named, because it takes too long for every run. */
  readonly isExtra?: boolean;
  /** The stage that must have passed before this one. */
  readonly needs?: string;
  /** Fetches what the stage needs. A Refusal means that the stage could not run. */
  readonly prepare?: () => Promise<unknown>;
  readonly run: (print: Print) => Promise<Outcome>;
}

const typescript = 'typescript/bin/tsc';
/** Hundreds of sites and the busiest ones. They take long, so they run with the long simulations. */
const manySites = ['test/judgement/properties.test.ts'];
/** Real sockets with their time-outs, and lakes on a disk. They run with the simulated servers. */
const withSockets = ['test/hosts/direct/*.test.ts', 'test/hosts/sql-tools-service.test.ts', 'test/cli/*.test.ts'];
/** Tests that need more than Node, or more time; each kind is a stage of its own. All other folders of test/ are pure. */
const specialTests = [
  ...manySites,
  ...withSockets,
  ...['simulator', 'sql-syntax', 'sql-rows', 'webview/browser', 'pictures', 'bundle', 'e2e', 'clients'].map(
    (folder) => `test/${folder}/**`,
  ),
  'test/live/*.test.ts',
  'test/azdata/*.test.ts',
  'test/mssql/*.test.ts',
];

/** Histories of hours, every script in every situation, commands that judge many servers, every query in other words and through the other hosts. */
const longSimulations = [
  ...['evidence', 'scripts'].map((folder) => `test/simulator/${folder}/*.test.ts`),
  ...['along', 'check', 'report', 'script'].map((name) => `test/simulator/fleet/${name}.test.ts`),
  ...['rewritten-queries', 'through-mssql', 'through-azdata', 'event-files', 'script-guards'].map(
    (name) => `test/simulator/product/${name}.test.ts`,
  ),
];
/** Every key, page, export and look of the dashboard in a real VS Code. */
const dashboardDays = ['dashboard', 'dashboard-kept'].map((name) => `test/e2e/${name}.test.ts`);
/** A user's days in a real VS Code, beyond the main job. */
const longDays = ['everyday', 'bad-days', 'german', 'lake'].map((name) => `test/e2e/${name}.test.ts`);

/** Every key, gesture and measure one by one, axe in every state, every page in German. They run with the pictures, which take as long. */
const longOnPage = ['gestures', 'pointer', 'measuring', 'accessibility', 'german', 'pinned', 'charts'].map(
  (name) => `test/webview/browser/${name}.browser.test.ts`,
);

/** Every stage of npm test. */
export const stages: readonly Stage[] = [
  ...['tsconfig.json', 'src/webview/tsconfig.json', 'cli/tsconfig.json', 'simulator/tsconfig.json', 'test/tsconfig.json'].map(checkTypes),
  { name: 'eslint', run: (print) => runProgram('eslint', 'eslint/bin/eslint.js', ['.', '--max-warnings', '0'], print) },
  { name: 'prettier', run: (print) => runProgram('prettier', 'prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.'], print) },
  { name: 'pure', run: (print) => runMocha('pure', ['test/**/*.test.ts'], specialTests, print) },
  { name: 'simulator', run: (print) => runMocha('simulator', ['test/simulator/**/*.test.ts', ...withSockets], longSimulations, print) },
  { name: 'evidence', isExtra: true, run: (print) => runMocha('evidence', [...longSimulations, ...manySites], [], print) },
  { name: 'sql-syntax', run: (print) => runMocha('sql-syntax', ['test/sql-syntax/**/*.test.ts', 'test/sql-rows/*.test.ts'], [], print) },
  { name: 'package', run: (print) => checkPackage(print) },
  { name: 'bundle', needs: 'package', run: (print) => runMocha('bundle', ['test/bundle/**/*.test.ts'], [], print) },
  {
    name: 'webview',
    prepare: obtainBrowser,
    run: (print) => runMocha('webview', ['test/webview/browser/**/*.test.ts'], longOnPage, print),
  },
  {
    name: 'pictures',
    isExtra: true,
    prepare: obtainBrowser,
    run: (print) => runMocha('pictures', ['test/pictures/*.test.ts', ...longOnPage], [], print),
  },
  {
    name: 'e2e',
    needs: 'package',
    prepare: () => Promise.all([installVsCode(), obtainBrowser()]),
    run: (print) => runMocha('e2e', ['test/e2e/*.test.ts'], [...longDays, ...dashboardDays], print),
  },
  {
    name: 'dashboard',
    isExtra: true,
    needs: 'package',
    prepare: () => Promise.all([installVsCode(), obtainBrowser()]),
    run: (print) => runMocha('dashboard', dashboardDays, [], print),
  },
  {
    name: 'hosts',
    isExtra: true,
    needs: 'package',
    prepare: () => Promise.all([installVsCode(), installNewestVsCode(), obtainBrowser()]),
    run: (print) => runMocha('hosts', ['test/e2e/hosts/*.test.ts', ...longDays], [], print),
  },
];

const withBrowser: readonly string[] = ['webview', 'pictures', 'e2e', 'dashboard', 'hosts'];
const testLane: readonly string[] = ['pure', 'simulator', 'evidence'];
/**
 * The lanes run at the same time, on two cores, and take about the same time. `after` has the machine to itself, because a browser on a busy machine does not
 * behave like a user's. Once the first lane is done, what `after` needs is fetched.
 */
export const plan = {
  beside: [
    stages.filter(({ name }) => !testLane.includes(name) && !withBrowser.includes(name)),
    stages.filter(({ name }) => testLane.includes(name)),
  ],
  after: stages.filter(({ name }) => withBrowser.includes(name)),
};

function checkTypes(project: string): Stage {
  const name = `types ${project.replace(/\/?tsconfig\.json$/, '') || 'src'}`;
  return { name, run: (print) => runProgram(name, typescript, ['-p', project, '--pretty', 'false'], print) };
}

async function checkPackage(print: Print): Promise<Outcome> {
  try {
    await packageAll();
    return describeCheck('package', true);
  } catch (error) {
    print(`${(error as Error).message}\n`);
    return describeCheck('package', false);
  }
}
