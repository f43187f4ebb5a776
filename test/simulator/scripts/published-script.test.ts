import assert from 'node:assert/strict';
import { planSwitch } from '../../core/finished';
import { createExpectations, type Policy } from '../../../src/core/advice/policy';
import { writeSwitchScripts } from '../../../src/core/script/switch';
import { reviewTemplates } from '../../../src/texts';
import type { SimulatorOptions } from '../../../simulator';
import { changeOf, choiceOf } from '../../core/script/scripts-of';
import { openScriptedServer, type ScriptedServer } from './scripted-server';
import { finishSteps } from '../../../src/core/steps';

/**
 * What the published script for availability groups alters (docs/facts.md, SQL Server 2): every database that is not at 60 seconds, is in no group or has the role
 * PRIMARY here, and is writable; system databases are not left out, and a database that is in a distributed group too may come twice.
 */
const published = `
SELECT d.name
FROM sys.databases AS d
LEFT JOIN sys.availability_databases_cluster AS c
    ON c.group_database_id = d.group_database_id
LEFT JOIN sys.dm_hadr_availability_replica_states AS s
    ON  s.group_id = c.group_id
    AND s.is_local = 1
WHERE d.target_recovery_time_in_seconds <> 60
AND   (c.group_id IS NULL OR s.role_desc = N'PRIMARY')
AND   DATABASEPROPERTYEX(d.name, N'Updateability') = 'READ_WRITE'
ORDER BY d.name;`;

const kinds: readonly (readonly [string, RegExp])[] = [
  ['a system database', /^system database/],
  ['a value set on purpose', /^has [1-9]\d* seconds already/],
  ['an exception of the policy', /^exception of the policy/],
  ['not writable here', /^(not writable here|secondary replica|read-only|in standby|offline|restoring)/],
];

describe('The published script for availability groups and ours', () => {
  let opened: ScriptedServer;
  afterEach(() => opened?.dispose());

  const compare = async (options: SimulatorOptions, on: string | undefined, makePolicy: (names: readonly string[]) => Policy) => {
    opened = await openScriptedServer(options, on);
    const { tables } = await opened.show(published);
    /** Those that the published script alters, once for each time. */
    const names = (tables[0] ?? []).map((row) => String(row['name']));
    const facts = await opened.facts();
    const { serverName, nowUtcMs } = facts.server;
    const notAtSixty = facts.databases.filter(({ targetSeconds }) => targetSeconds !== 60).map(({ databaseId }) => databaseId);
    const expect = createExpectations(makePolicy(names), serverName, nowUtcMs);
    const plan = planSwitch(choiceOf(notAtSixty), facts, () => 'not measured', { expect });
    const origin = { serverName, readAt: '2026-03-02 09:00:00 UTC+1', evidence: 'nothing was measured.' };
    const script = changeOf(finishSteps(writeSwitchScripts(plan, origin, reviewTemplates.setTargetRecoveryTime)));
    const { changed } = await opened.show(script);
    return { plan, names, changed };
  };

  const withoutPolicy = (): Policy => ({ targets: [], exceptions: [] });
  /** The second of those that could be changed. */
  const withException = (names: readonly string[]): Policy => {
    const user = names.filter((name) => /^[A-Z]\w{1,60}$/.test(name));
    return { targets: [], exceptions: [{ server: null, database: user[1] ?? '', reason: 'Its vendor asks for it.', expires: null }] };
  };
  const group = { scenario: 'availability-group' } as const;
  const cases: readonly (readonly [string, SimulatorOptions, string | undefined, typeof withException, readonly string[]])[] = [
    [
      'an upgraded instance with an exception in the policy',
      { databases: 80 },
      undefined,
      withException,
      ['a system database', 'a value set on purpose', 'an exception of the policy', 'not writable here'],
    ],
    ['a primary', group, 'SALES-SQL01', withoutPolicy, ['a duplicate of a distributed group', 'a system database']],
    ['a server of two roles', group, 'SALES-SQL02', withoutPolicy, ['a system database']],
    ['a forwarder', group, 'SALES-DR01', withoutPolicy, ['a system database']],
  ];

  for (const [what, options, on, makePolicy, differences] of cases)
    it(`differ, on ${what}, by nothing but: ${differences.join(', ')}; each with its reason`, async () => {
      const { plan, names, changed } = await compare(options, on, makePolicy);
      const ours = plan.steps.map(({ database }) => database.name);
      const found = new Set<string>();
      const seen = new Set<string>();
      for (const name of names) {
        if (seen.has(name)) found.add('a duplicate of a distributed group');
        else if (!ours.includes(name)) {
          const { kind: told = '', reason = '' } = plan.exclusions.find((exclusion) => exclusion.name === name) ?? {};
          const kind = kinds.find(([, pattern]) => pattern.test(told))?.[0];
          assert.ok(kind !== undefined, `${name}: ${reason}`);
          found.add(kind);
        }
        seen.add(name);
      }
      assert.deepEqual([...found].sort(), [...differences].sort());
      assert.deepEqual(
        ours.filter((name) => !seen.has(name)),
        [],
        'ours alters nothing that the published one does not',
      );
      const here = on === undefined ? '' : `${on}/`;
      assert.deepEqual(
        changed.filter((line) => line.startsWith(here)),
        ours.map((name) => `${here}${name}: 0 -> 60`).sort(),
        'and what ours lists is what it changes',
      );
    });
});
