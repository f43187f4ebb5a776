import { auditStage, clientStages } from '../clients/run';
import type { Mocha } from './commands';
import {
  DASHBOARD_DAYS,
  inBrowser,
  inEditor,
  LONG_DAYS,
  LONG_ON_PAGE,
  LONG_SIMULATIONS,
  MANY_SITES,
  ofTests,
  SECOND_BUILD,
  type Stage,
} from './stages';

/**
 * A part of npm run test:long: tests that take too long for every change. CONTRIBUTING.md says which part belongs to
 * which room.
 */
interface Part {
  /** All of it, with as many cases as a night has time for. */
  readonly long: readonly Stage[];
  /** What of it runs before a change lands: with the same seeds each time, and seconds where all takes minutes. */
  readonly short: readonly Stage[];
}

const named = (folder: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `test/${folder}/${name}.test.ts`);
const fuzz: Mocha = {
  files: ['test/fuzz/*.test.ts', 'test/sql-syntax/hostile-names.test.ts'],
  options: ['--timeout', '0'],
};

export const parts: Readonly<Record<string, Part>> = {
  evidence: {
    long: [
      ofTests('evidence', { files: [...LONG_SIMULATIONS, ...MANY_SITES] }),
      ofTests('lake', { files: named('simulator/fleet', ['exactly-once']), env: { LAKE_SEQUENCES: '12' } }),
    ],
    short: [
      ofTests('evidence', {
        files: [
          ...named('simulator/scripts', ['switch', 'switch-availability', 'switch-waves']),
          ...named('simulator/fleet', ['tracking']),
          ...named('simulator/product', ['evidence', 'every-server', 'script-guards']),
        ],
      }),
    ],
  },
  pictures: {
    long: [inBrowser('pictures', { files: ['test/pictures/*.test.ts', ...LONG_ON_PAGE] })],
    short: [
      inBrowser('pictures', { files: named('webview/browser', ['gestures.browser', 'pinned.browser']) }),
    ],
  },
  dashboard: {
    long: [inEditor('dashboard', { files: DASHBOARD_DAYS })],
    short: [inEditor('dashboard', { files: DASHBOARD_DAYS })],
  },
  hosts: {
    long: [inEditor('hosts', { files: ['test/e2e/hosts/*.test.ts', ...LONG_DAYS, SECOND_BUILD] })],
    short: [inEditor('hosts', { files: [...named('e2e/hosts', ['story']), SECOND_BUILD] })],
  },
  // Its short form, of fewer texts, is in npm test.
  fuzz: { long: [ofTests('fuzz', { ...fuzz, env: { FUZZ_CASES: '1000000' } })], short: [] },
  // Ten servers whose seed is printed; or always the same one.
  audit: { long: [auditStage({})], short: [auditStage({ SEED: '36', SERVERS: '1', DEEDS: '4' })] },
  clients: {
    long: clientStages,
    short: clientStages.filter(({ name }) => name === 'pytds' || name === 'kerberos'),
  },
  live: {
    long: [ofTests('live', { files: ['test/live/*.test.ts'], env: { LIVE_SQL_SIMULATOR: 'yes' } })],
    short: [],
  },
};
