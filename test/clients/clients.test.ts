import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator } from '../../simulator/index';
import { fillTemplate } from '../../src/core/script/template';
import type { ServerMonitor } from '../../src/monitor/server-monitor';
import { ownSessionTemplates, readTemplates } from '../../src/texts';
import { installJdbc } from '../../tools/clients/java-client';
import { installPython } from '../../tools/clients/python-client';
import { installSqlToolsService } from '../../tools/clients/sql-tools-service';
import { changeOf, choiceOf, rollbackOf } from '../core/script/scripts-of';
import { splitAtGo } from '../e2e/query-window';
import { prepareOrSkip } from '../pending';
import { watch } from '../simulator/product/watched-server';
import {
  type Ability,
  type Answer,
  type Client,
  type ClientConnection,
  type Encryption,
  LoginRefused,
  type Target,
} from './client';
import { DriverClient } from './program';
import { QUESTIONS, TYPES_SQL } from './questions';
import { assertSameAnswer, openReference, readReference } from './same-answer';
import { SqlToolsServiceClient } from './sql-tools-service';
import { makeFolder } from '../temporary-folder';

type ClientsServer = Awaited<ReturnType<typeof startClientsServer>>;

/** A simulated server whose clock stands still, for real clients to log in to. */
async function startClientsServer() {
  const simulator = await startSimulator({ rate: 0, tls: 'optional' });
  const folder = makeFolder();
  const certificateFile = join(folder, 'server.pem');
  writeFileSync(certificateFile, simulator.certificate ?? '');
  return {
    simulator,
    target: (encryption: Encryption = 'none'): Target => ({
      port: simulator.port,
      ...simulator.administrator,
      encryption,
      certificateFile,
    }),
    close: async (): Promise<void> => {
      await simulator.close();
    },
  };
}

/** A client that somebody else wrote. What it has no way to do is not asked of it. */
interface Spoken {
  readonly name: string;
  /** Installs and starts its program. @throws Refusal if it cannot be installed here */
  readonly start: () => Promise<Client>;
  readonly abilities: readonly Ability[];
  /** It cannot be told which certificate to trust. */
  readonly verifiesNothing?: boolean;
  /** What is left of an answer by the time its user sees it; all of it for most. */
  readonly adapt?: (answer: Answer, seen: Answer) => Answer;
  /** Types that it can read; all of them for most. */
  readonly types?: string;
  /** It cuts a script at GO itself. */
  readonly splitsScripts?: boolean;
}

/**
 * mssql-python passes on the first error of a statement, its text only, and no set that an error ended before its first
 * row; where the first statement of a batch fails, nothing but that error.
 */
function showAsOdbc(answer: Answer, seen: Answer): Answer {
  if (answer.errors.length === 0) return answer;
  const errors = answer.errors.slice(0, 1);
  return seen.sets.length === 0
    ? { sets: [], infos: [], errors }
    : { ...answer, sets: answer.sets.filter(({ rows }) => rows.length > 0), errors };
}

const startService = async (): Promise<SqlToolsServiceClient> =>
  new SqlToolsServiceClient(await installSqlToolsService()).initialize();

/** By the names of the stages of `npm run test:long -- clients`. */
const CLIENTS: Readonly<Record<string, Spoken>> = {
  pytds: {
    name: 'pytds',
    start: async () => new DriverClient(await installPython('pytds'), [join(__dirname, 'pytds_driver.py')]),
    abilities: ['cancel'],
  },
  'mssql-python': {
    name: 'Microsoft ODBC Driver 18, by mssql-python',
    start: async () =>
      new DriverClient(await installPython('mssql-python'), [join(__dirname, 'mssql_python_driver.py')]),
    abilities: ['limited'],
    adapt: showAsOdbc,
  },
  'mssql-jdbc': {
    name: "Microsoft's JDBC driver",
    start: async () =>
      new DriverClient('java', ['-cp', await installJdbc(), join(__dirname, 'JdbcDriver.java')]),
    abilities: ['cancel', 'limited'],
  },
  'sql-tools-service': {
    name: 'SQL Tools Service',
    start: startService,
    abilities: ['cancel'],
    verifiesNothing: true,
    splitsScripts: true,
    // .NET's decimal has 28 digits, and the grid shows 65,535 characters of a value.
    types: TYPES_SQL.replace('100000', '30000').replace(
      /\d+ AS decimal\(38, 0\)/,
      '1234567890123456789012345678 AS decimal(28, 0)',
    ),
  },
};

/** The clock of the server stands still: only a cancel ends this. */
const ENDLESS = "SELECT before = 1; WAITFOR DELAY '00:10:00'; SELECT after = 1;";

const chosen = process.env['CLIENT'];
for (const [key, spoken] of Object.entries(CLIENTS))
  if (chosen === undefined || chosen === key)
    describe(`${spoken.name} against the simulated server`, function () {
      this.timeout(120_000);
      let server: ClientsServer;
      let client: Client;
      let reference: Awaited<ReturnType<typeof openReference>>;
      let connection: ClientConnection;
      let monitor: ServerMonitor;
      before(async function () {
        client = await prepareOrSkip(this, spoken.start);
        server = await startClientsServer();
        reference = await openReference(server.target());
        connection = await client.connect(server.target());
        monitor = watch(server.simulator);
      });
      after(async () => {
        await client?.end();
        await reference?.close();
        await monitor?.dispose();
        await server?.close();
      });

      const { adapt = (answer: Answer) => answer } = spoken;
      const has = (ability: Ability): boolean => spoken.abilities.includes(ability);
      /** Asks, and holds the answer to that of tedious. */
      const compare = async (sql: string): Promise<Answer> => {
        const expected = await readReference(reference, sql);
        const actual = await connection.ask('batch', sql);
        assertSameAnswer(actual, adapt(expected, actual));
        return expected;
      };
      const rowsOf = ({ sets }: Answer): unknown => sets.map(({ rows }) => rows);
      const columnsOf = ({ sets }: Answer): readonly string[] => sets.flatMap(({ columns }) => columns);
      const assertUsable = async (of: ClientConnection): Promise<void> => {
        const answer = await of.ask('batch', 'SELECT still = 1;');
        assert.deepEqual([rowsOf(answer), answer.errors], [[[['1']]], []]);
      };
      const encryptions: readonly Encryption[] = [
        'none',
        'trusting',
        ...(spoken.verifiesNothing ? [] : ['verified' as const]),
      ];
      for (const encryption of encryptions)
        it(`connects with encryption: ${encryption}`, async () => {
          const connected = await client.connect(server.target(encryption));
          await assertUsable(connected);
          await connected.close();
        });

      it('does not connect with a wrong password: 18456', async () => {
        await assert.rejects(client.connect({ ...server.target(), password: 'wrong' }), (error: unknown) => {
          assert.ok(error instanceof LoginRefused, String(error));
          assert.match(
            `${error.message} ${error.errors.map(({ text }) => text).join()}`,
            /Login failed for user 'dba'/,
          );
          assert.equal(error.errors[0]?.number ?? 18_456, 18_456);
          return true;
        });
      });

      it('reads every type, and the NULL of each', async () => {
        assert.deepEqual((await compare(spoken.types ?? TYPES_SQL)).errors, []);
      });

      it('reads each query of sql/read', async () => {
        const own = async (kind: keyof typeof ownSessionTemplates): Promise<void> => {
          for (const batch of splitAtGo(fillTemplate(ownSessionTemplates[kind], {})))
            assert.deepEqual((await connection.ask('batch', batch)).errors, []);
        };
        await own('create');
        await own('start');
        server.simulator.server.advance(120_000);
        for (const [file, template] of Object.entries(readTemplates))
          for (const batch of splitAtGo(fillTemplate(template, {}))) {
            assert.deepEqual((await compare(batch)).errors, [], file);
          }
        await own('stop');
        await own('drop');
      });

      for (const [title, sql] of Object.entries(QUESTIONS)) it(title, () => compare(sql));

      /** What a script that the product wrote for this server said to who ran it by this client. */
      const run = async (script: string): Promise<Readonly<Record<'infos' | 'errors', string>>> => {
        const answers: Answer[] = [];
        for (const batch of spoken.splitsScripts ? [script] : splitAtGo(script))
          answers.push(await connection.ask('batch', batch));
        const join = (of: 'infos' | 'errors'): string =>
          answers.flatMap((answer) => answer[of].map(({ text }) => text)).join('\n');
        return { infos: join('infos'), errors: join('errors') };
      };
      const assertRun = async (script: string, ends: RegExp): Promise<void> => {
        const { infos, errors } = await run(script);
        assert.equal(errors, '');
        assert.match(infos, ends);
      };
      const listAutomatic = async (): Promise<readonly number[]> => {
        await monitor.refresh();
        const databases = monitor.snapshot.facts?.databases ?? [];
        return databases
          .filter((each) => each.databaseId > 4 && each.targetSeconds === 0)
          .map(({ databaseId }) => databaseId);
      };

      it('runs the reviewed script, which changes its databases and says so in messages, and its twin, which takes all of it back', async () => {
        const before = await listAutomatic();
        const { plan, scripts } = await monitor.reviewSwitch(choiceOf(before.slice(0, 40)));
        const count = plan.steps.length;
        assert.ok(count >= 36, `${count} of 40`);
        await assertRun(changeOf(scripts), new RegExp(`${count} changed, 0 failed; `));
        assert.equal((await listAutomatic()).length, before.length - count);
        await assertRun(rollbackOf(scripts), new RegExp(`${count} changed, 0 failed; `));
        assert.equal((await listAutomatic()).length, before.length);
      });

      it('runs the reviewed script, which refuses a server that it was not written for, as an error', async () => {
        await monitor.refresh();
        const odd = monitor.snapshot.facts?.databases.find(({ name }) => name === 'a]b')?.databaseId ?? 0;
        const { scripts } = await monitor.reviewSwitch(choiceOf([odd], true));
        const { ledger } = server.simulator.server;
        const changes = ledger.settingChanges.length;
        const elsewhere = changeOf(scripts).replace("IN (N'LEGACY-SQL07'", "IN (N'OTHER'");
        assert.notEqual(elsewhere, changeOf(scripts));
        assert.match((await run(elsewhere)).errors, /Stopped: the guard does not name this server/);
        assert.equal(ledger.settingChanges.length, changes);
      });

      if (has('cancel'))
        it('cancels a WAITFOR, and uses the connection again', async () => {
          assert.ok(!columnsOf(await connection.ask('cancel', ENDLESS, '300')).includes('after'));
          await assertUsable(connection);
        });

      if (has('limited'))
        it('ends a query by its own time-out, and uses the connection again', async () => {
          const answer = await connection.ask('limited', ENDLESS, '1');
          assert.match(answer.errors.map(({ text }) => text).join(), /time|cancel/i);
          assert.ok(!columnsOf(answer).includes('after'));
          await assertUsable(connection);
        });
    });
