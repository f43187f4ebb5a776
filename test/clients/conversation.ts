import assert from 'node:assert/strict';
import { fillTemplate } from '../../src/core/script/template';
import type { OwnSessionTemplate } from '../../src/core/script/text';
import { ownSessionTemplates, readTemplates } from '../../src/texts';
import { splitAtGo } from '../e2e/query-window';
import { describeAbilities } from './abilities';
import { LoginRefused, type Ability, type Answer, type Client, type ClientConnection, type Encryption, type ServerMessage } from './client';
import { type ClientsServer, startClientsServer } from './clients-server';
import { Reference } from './reference';
import { assertSameAnswer, type Show } from './same-answer';
import { describeScript } from './reviewed-script';
import { errorSteps, stateSteps, typesSql, type Step } from './steps';

interface ConversationOptions {
  /** Starts the client's program. */
  readonly start: () => Promise<Client> | Client;
  /** What the client can be asked to trust: tsql checks no certificate that it was not given, others cannot be given one. */
  readonly verifies: boolean;
  readonly abilities: readonly Ability[];
  readonly show?: Show;
  /** What is left of an answer by the time the client's user sees it; all of it for most. */
  readonly adapt?: (answer: Answer, seen: Answer) => Answer;
  /** Types that the client can read; all of them for most. */
  readonly types?: string;
  /** The client cuts a script at GO itself. */
  readonly splitsScripts?: boolean;
  /** The client sets its own SET options before each batch. */
  readonly resetsOptions?: boolean;
  /** 50 for most. */
  readonly connections?: number;
  /** The client does not show where a set without rows begins. */
  readonly joinsSets?: boolean;
}

/** The conversation that every client has with the simulated server. */
export function describeConversation(name: string, options: ConversationOptions): void {
  describe(`${name} against the simulated server`, function () {
    this.timeout(120_000);
    let server: ClientsServer;
    let client: Client;
    let reference: Reference;
    let connection: ClientConnection;
    before(async () => {
      server = await startClientsServer();
      client = await options.start();
      reference = await Reference.connect(server.target());
      connection = await client.connect(server.target());
    });
    after(async () => {
      await client?.end();
      await reference?.close();
      await server?.close();
    });
    const same = (actual: Answer, expected: Answer): void =>
      assertSameAnswer(actual, options.adapt?.(expected, actual) ?? expected, options);
    const compare = async (sql: string): Promise<Answer> => {
      const expected = await reference.batch(sql);
      same(await connection.batch(sql), expected);
      return expected;
    };
    const take = async (step: Step): Promise<void> => {
      const answer = await compare(step.sql);
      assert.deepEqual(
        answer.sets.map(({ rows }) => rows),
        step.rows,
      );
      const told = answer.errors.map((error, at) => pick(error, step.errors?.[at] ?? error));
      assert.deepEqual(told, step.errors ?? []);
      const printed = answer.infos.filter(({ number }) => number === 0 || number === 50_000).map(({ text }) => text);
      assert.equal(printed.join('\n'), step.prints ?? '');
    };

    describe('connects', () => {
      const encryptions: readonly Encryption[] = options.verifies ? ['none', 'trusting', 'verified'] : ['none', 'trusting'];
      for (const encryption of encryptions)
        it(`with encryption: ${encryption}`, async () => {
          const wire = await server.wiretap();
          const connected = await client.connect({ ...server.target(encryption), port: wire.port });
          const { sets } = await connected.batch("SELECT seen = 'on the wire';");
          assert.deepEqual(sets[0]?.rows, [['on the wire']]);
          assert.equal(wire.heard('on the wire'), encryption === 'none');
          await connected.close();
          wire.close();
        });
      if (options.verifies)
        it('not to a server whose certificate it does not know', async () => {
          const target = { ...server.target('verified'), certificateFile: server.strangersCertificateFile };
          await assert.rejects(client.connect(target), (error: unknown) => {
            assert.doesNotMatch(String(error), /Login failed for user/);
            return true;
          });
        });
      it('not with a wrong password: 18456', async () => {
        const attempt = client.connect({ ...server.target(), password: 'wrong' });
        await assert.rejects(attempt, (error: unknown) => {
          assert.ok(error instanceof LoginRefused, String(error));
          assert.match(`${error.message} ${error.errors.map(({ text }) => text).join()}`, /Login failed for user 'dba'/);
          const [first] = error.errors;
          assert.ok(first === undefined || first.number === null || first.number === 18_456, String(first?.number));
          return true;
        });
      });
    });
    describe('reads', () => {
      it('the names of all 404 databases', async () => {
        const { sets } = await compare('SELECT name FROM sys.databases ORDER BY name;');
        const names = sets[0]?.rows.map(([each]) => each ?? '') ?? [];
        assert.equal(names.length, 404);
        for (const each of ['a]b', "x'; DROP DATABASE y;--"]) assert.ok(names.includes(each), each);
        for (const shape of [/^.{128}$/u, /\p{Extended_Pictographic}/u])
          assert.ok(
            names.some((each) => shape.test(each)),
            String(shape),
          );
      });
      it('every type, and the NULL of each', () => compare(options.types ?? typesSql).then(({ errors }) => assert.deepEqual(errors, [])));
      it('each query of sql/read', async () => {
        await runTemplates(connection, [ownSessionTemplates.create, ownSessionTemplates.start]);
        server.simulator.server.advance(120_000);
        for (const [file, template] of Object.entries(readTemplates))
          for (const batch of splitAtGo(fillTemplate(template, {}))) {
            const { errors, sets } = await compare(batch);
            assert.deepEqual(errors, [], file);
            if (file === 'databaseFacts') assert.equal(sets.flatMap(({ rows }) => rows).length >= 404, true);
          }
        await runTemplates(connection, [ownSessionTemplates.stop, ownSessionTemplates.drop]);
      });
    });
    describe('is told', () => {
      for (const step of errorSteps) it(step.title, () => take(step));
    });
    describe('keeps its own state', () => {
      for (const step of stateSteps.filter(({ isOption }) => !isOption || !options.resetsOptions)) it(step.title, () => take(step));
      it('on three connections at once', async () => {
        const three = await Promise.all([1, 2, 3].map(() => client.connect(server.target())));
        const databases = ['model', 'msdb', 'tempdb'];
        const own = (at: number): string => `USE ${databases[at]}; CREATE TABLE #own (id int); INSERT #own (id) VALUES (${at});`;
        await Promise.all(three.map((each, at) => each.batch(own(at))));
        const answers = await Promise.all(three.map((each) => each.batch('SELECT DB_NAME() AS d, id, @@TRANCOUNT AS n FROM #own;')));
        assert.deepEqual(
          answers.map(({ sets }) => sets[0]?.rows),
          databases.map((database, at) => [[database, String(at), '0']]),
        );
        await Promise.all(three.map((each) => each.close()));
      });
    });
    describeScript(options.splitsScripts ? (script) => [script] : splitAtGo, () => ({ server, connection }));
    describeAbilities(options.abilities, options.connections ?? 50, () => ({ server, client, connection }));
  });
}

/** The fields of an error that a step speaks of. */
function pick(error: ServerMessage, like: Partial<ServerMessage>): Partial<ServerMessage> {
  return Object.fromEntries(Object.entries(error).filter(([key]) => key in like));
}

async function runTemplates(connection: ClientConnection, templates: readonly OwnSessionTemplate[]): Promise<void> {
  for (const template of templates)
    for (const batch of splitAtGo(fillTemplate(template, {}))) assert.deepEqual((await connection.batch(batch)).errors, []);
}
