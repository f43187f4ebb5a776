import assert from 'node:assert/strict';
import {
  type CommandHandler,
  commandIds,
  type CommandTable,
  Dismissed,
  NotReached,
  registerCommands,
} from '../../../src/shell/kit/command-table';
import { createFakeLog } from '../fake-editor';

describe('the command table', () => {
  function wire(handler: CommandHandler) {
    const [errors, logged, handlers] = [[] as string[], [] as string[], new Map<string, CommandHandler>()];
    registerCommands(Object.fromEntries(commandIds.map((id) => [id, handler])) as CommandTable, {
      register: (id, registered) => {
        handlers.set(id, registered);
        return { dispose: () => undefined };
      },
      showError: (sentence, unreached) =>
        errors.push(unreached === null ? sentence : `${sentence} [another way to ${unreached}]`),
      log: createFakeLog(logged),
    });
    const callAs =
      (id: string): CommandHandler =>
      (...given) =>
        handlers.get(`checkpointHealth.${id}`)?.(...given);
    return { call: callAs('refresh'), review: callAs('reviewScript'), errors, logged };
  }

  it('turns an error into one sentence and a log entry without secrets', async () => {
    const bench = wire(() => Promise.reject(new Error('It broke: Password=p4ssword')));
    await bench.call();
    assert.deepEqual(bench.errors, ['It broke: Password=***']);
    assert.equal(bench.logged.length, 1);
    assert.match(bench.logged[0] ?? '', /^checkpointHealth\.refresh: Error: It broke: Password=\*\*\*/);
  });

  it('offers the other ways to a server that could not be reached', async () => {
    const bench = wire(() => Promise.reject(new NotReached('Not allowed: Password=p4ssword', 'mssql:11')));
    await bench.call();
    assert.deepEqual(bench.errors, ['Not allowed: Password=*** [another way to mssql:11]']);
  });

  it('never takes a row that went away under its menu for the whole server, as a command without a row is', async () => {
    const seen: unknown[] = [];
    const bench = wire(
      (target, selection) =>
        void seen.push(target ?? 'palette', ...(Array.isArray(selection) ? selection : [])),
    );
    await bench.review(undefined, undefined);
    await bench.review(null, null);
    await bench.review('row', ['row', undefined]);
    assert.deepEqual([seen, bench.errors.length], [[], 3], 'nor for fewer databases than were selected');
    assert.match(bench.errors[0] ?? '', /Select the row again/);
    await bench.review();
    await bench.review(undefined);
    await bench.review('row', ['row', 'other']);
    assert.deepEqual(
      seen,
      ['palette', 'palette', 'row', 'row', 'other'],
      'the row and all that are selected',
    );
    await bench.call(undefined, undefined);
    assert.equal(seen.length, 6, 'what is about the server anyway goes on');
  });

  it('is silent when the user changed their mind', async () => {
    const bench = wire(() => {
      throw new Dismissed();
    });
    await bench.call();
    assert.deepEqual([bench.errors, bench.logged], [[], []]);
  });
});
