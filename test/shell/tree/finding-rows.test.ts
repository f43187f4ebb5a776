import assert from 'node:assert/strict';
import type { Finding, Preflight } from '../../../src/core/advice/finding';
import type { ServerSnapshot } from '../../../src/monitor/server-monitor';
import type { Row } from '../../../src/shell/tree/row';
import { database, facts, partsOf, rowsUnder, snapshot, systemDatabases } from '../sample';

const sources = [
  { title: 'KB1', url: 'https://example.com/kb1' },
  { title: 'inferred by Checkpoint Health', url: null },
];
const finding = (
  rule: string,
  severity: Finding['severity'],
  sentence: string,
  remedy: string | null = null,
): Finding => ({ rule, severity, sentence, remedy, sources });
const build = finding('kb1', 'look first', 'KB1 is not in this build.', 'Install KB1.');
const flag = finding('flag', 'inform', 'Trace flag 890 is on.');
const model = finding('model-automatic', 'inform', 'model has target recovery time 0.');

function shop(preflight: Partial<Preflight>, moreReadUtcMs: number | null = 1): ServerSnapshot {
  const known = { ...facts([...systemDatabases, database(7, 'Shop')]), moreReadUtcMs };
  return snapshot(known, { preflight: { server: [], databases: new Map(), unseen: [], ...preflight } });
}

const findingsOf = (given: ServerSnapshot): readonly Row[] =>
  rowsUnder(given).filter(({ kind }) => kind === 'finding' || kind === 'findings');

describe('findings in the pane', () => {
  it('are no rows where nothing was found', () => {
    assert.deepEqual(findingsOf(shop({})), []);
  });

  it('have a row of their own where something has to be looked at first, with what to do and where it comes from', () => {
    const [row, ...more] = findingsOf(shop({ server: [build] }));
    assert.deepEqual(
      [row?.label, row?.icon?.name, more],
      ['Look first: KB1 is not in this build.', 'warning', []],
    );
    const source = 'Source: KB1 (https://example.com/kb1); inferred by Checkpoint Health';
    assert.equal(row?.tooltip, `KB1 is not in this build.\nInstall KB1.\n${source}`);
  });

  it('that only inform stand behind one closed row, with what could not be asked', () => {
    const given = shop({
      server: [build, flag, model],
      unseen: ['The startup options cannot be seen: denied.'],
    });
    const [, row] = findingsOf(given);
    assert.deepEqual(
      [row?.label, row?.description, row?.expand],
      ['Before a change', '1 note · 1 not known', 'closed'],
    );
    assert.deepEqual(
      rowsUnder(given, row).map(({ label, icon }) => [label, icon?.name]),
      [
        ['Trace flag 890 is on.', 'info'],
        ['The startup options cannot be seen: denied.', 'eye-closed'],
      ],
    );
  });

  it('say nothing of what nobody has asked for yet', () => {
    assert.deepEqual(
      findingsOf(shop({ unseen: ['The trace flags cannot be seen: not read yet.'] }, null)),
      [],
    );
    assert.equal(findingsOf(shop({ unseen: ['The trace flags cannot be seen: denied.'] })).length, 1);
  });

  it('are in the tooltip of a database, behind the verdict and what would change it', () => {
    const given = shop({
      databases: new Map([[7, [finding('oldest-page', 'look first', 'The log of Shop waits.')]]]),
    });
    const parent = rowsUnder(given).find(({ group }) => group === 'Automatic, not measured');
    const [row] = rowsUnder(given, parent);
    assert.deepEqual(row?.tooltip.split('\n').slice(2), [
      'Verdict: Cannot tell here. Uses automatic checkpoints; not measured yet. Tracking measures it.',
      'What would change it: Tracking it for ten minutes or more.',
      'The log of Shop waits.',
    ]);
  });

  it('do not repeat why a database cannot be changed', () => {
    const given = shop({
      databases: new Map([[1, [finding('not-changeable-here', 'blocks', 'master is a system database.')]]]),
    });
    const parent = rowsUnder(given).find(({ group }) => group === 'Cannot change here');
    const master = rowsUnder(given, parent).find(({ databaseId }) => databaseId === 1);
    assert.doesNotMatch(master?.tooltip ?? '', /master is a system database/);
    assert.match(master?.tooltip ?? '', /It is a system database/);
  });
});

describe('groups under a policy', () => {
  it('show what is unexpected, and what is as wanted only as a count', () => {
    const given = shop({});
    const verdict = { verdict: 'Leave', part: null, reason: '', wouldChange: '' } as const;
    const verdicts = new Map(given.verdicts)
      .set(7, { ...verdict, databaseId: 7, group: 'As the policy wants' })
      .set(8, { ...verdict, databaseId: 8, group: 'Not as the policy wants' });
    const known = facts([...systemDatabases, database(7, 'Shop'), database(8, 'Other')]);
    const groups = rowsUnder({ ...given, facts: known, verdicts }).filter(({ kind }) => kind === 'group');
    assert.deepEqual(partsOf(groups, 'label', 'description', 'expand'), [
      ['Differs from the policy', '1', 'closed'],
      ['Matches the policy', '1', 'closed'],
      ['Cannot change here', '4 system', 'closed'],
    ]);
  });
});
