import assert from 'node:assert/strict';
import type { ErrorLogDocument } from '../../../src/shell/error-logs/error-log-document';
import type { TextSources } from '../../../src/shell/error-logs/error-log-editors';
import { createEvidenceCommands, readMoment } from '../../../src/shell/commands/evidence-commands';
import type * as evidence from '../../../src/shell/commands/evidence-commands';
import { inLanguage } from '../../webview/in-language';
import { databaseRow, type Desk, openDesk, run, serverRow } from '../fake-editor';
import { database, facts, LOG, snapshot, systemDatabases } from '../sample';

const found = snapshot(facts([...systemDatabases, database(5, 'a'), database(6, 'b')]));

const nothing: TextSources = {
  openErrorLog: () => assert.fail('nothing was chosen'),
  readClipboard: () => Promise.resolve(''),
  readSelection: () => '',
  showErrorLog: () => assert.fail('nothing was read'),
};

const commands = (
  desk: Desk,
  sources: Partial<TextSources> = {},
): ReturnType<typeof createEvidenceCommands> =>
  createEvidenceCommands(desk.context, { ...nothing, ...sources });

/** What is shown of error logs, and a way to show it. */
function collect(): {
  readonly shown: ErrorLogDocument[];
  readonly showErrorLog: TextSources['showErrorLog'];
} {
  const shown: ErrorLogDocument[] = [];
  return { shown, showErrorLog: async (document) => void shown.push(document) };
}

describe('commands about evidence', () => {
  it('open an error log that the user chooses, with no server', async () => {
    const desk = await openDesk(found, ['file']);
    let opened = 0;
    await run(commands(desk, { openErrorLog: async () => void opened++ }).readErrorLog);
    assert.deepEqual([opened, desk.monitors], [1, []]);
  });

  it('read what was copied from a grid, and say so where the clipboard is empty', async () => {
    const rows = LOG.split('\r\n')
      .slice(1)
      .map((line) => `${line.slice(0, 22)}\tspid7s\t${line.slice(35).trim()}`);
    const desk = await openDesk(found, ['clipboard', 'clipboard']);
    const { shown, showErrorLog } = collect();
    await run(
      commands(desk, { readClipboard: () => Promise.resolve(rows.join('\n')), showErrorLog }).readErrorLog,
    );
    assert.match(shown[0]?.page.title ?? '', /^1 checkpoint took longer/);
    const refused = await run(commands(desk).readErrorLog);
    assert.equal(refused, 'The clipboard has no text. Copy the rows of the error log first.');
  });

  describe('explain a line of the error log', () => {
    const line =
      'FlushCache: cleaned up 394031 bufs with 282252 writes in 65544 ms (avoided 21 new dirty bufs) for db 19:0';

    async function explain(
      answers: unknown[],
      sources: Partial<TextSources>,
    ): Promise<{ shown: ErrorLogDocument[]; failure: unknown }> {
      const { shown, showErrorLog } = collect();
      const desk = await openDesk(found, answers);
      return { failure: await run(commands(desk, { ...sources, showErrorLog }).explainLogLine), shown };
    }

    it('that is selected, without a question', async () => {
      const { shown } = await explain([], {
        readSelection: () => line,
        readClipboard: () => assert.fail('not needed'),
      });
      assert.deepEqual([shown[0]?.name, shown[0]?.isMessage], ['FlushCache message of database 19', true]);
    });

    it('that is typed, where nothing but blanks is selected, and say what is expected instead of another', async () => {
      const { shown } = await explain([line], { readSelection: () => ' \n' });
      assert.equal(shown[0]?.page.title, 'This checkpoint wrote 394,031 pages (3.0 GB) in 65.5 s.');
      assert.match(
        String((await explain(['hello'], {})).failure),
        /^not accepted: This line is not known here\. It should be a line/,
      );
      assert.match(
        String((await explain([], { readSelection: () => 'hello' })).failure),
        /^This line is not known here\./,
      );
    });

    it('that was copied, proposed as one line, and nothing else that was copied', async () => {
      const proposals: string[] = [];
      const propose = async (copied: string): Promise<void> => {
        const desk = await openDesk(found);
        desk.conversation.askText = async ({ value }) => (proposals.push(value), line);
        await run(
          commands(desk, { readClipboard: async () => copied, showErrorLog: async () => undefined })
            .explainLogLine,
        );
      };
      await propose(`${line}\r\n      last target outstanding:   639360, avgWriteLatency 1\r\n`);
      await propose('the password of sa');
      assert.deepEqual(proposals, [`${line} last target outstanding:   639360, avgWriteLatency 1`, '']);
    });
  });

  it('set a change by hand for the databases that were pointed at, in server time, and say where it cannot be kept', async () => {
    const desk = await openDesk(found, ['2026-03-02 08:30']);
    await run(commands(desk).setChangeMoment, databaseRow(5), [databaseRow(5), databaseRow(6)]);
    assert.equal(found.facts?.server.utcOffsetMinutes, 60);
    assert.deepEqual(desk.changed(), [['setChanges', [5, 6], Date.UTC(2026, 2, 2, 7, 30)]]);
    assert.match(desk.conversation.said.at(-1) ?? '', /known in this window only/);
  });

  it("propose the server's time so that it can be read back, in a language with other dates too", async () => {
    const dates = { '{0}-{1}-{2}/A date: year, month, day': '{2}.{1}.{0}' };
    // oxlint-disable-next-line typescript/no-require-imports -- loaded again in German
    const load = () => require('../../../src/shell/commands/evidence-commands') as typeof evidence;
    const german = inLanguage(dates, load);
    const desk = await openDesk(found);
    desk.conversation.askText = async ({ value, check }) => {
      assert.equal(check?.(value), null, value);
      return value;
    };
    assert.equal(
      await run(german.createEvidenceCommands(desk.context, nothing).setChangeMoment, databaseRow(5)),
      undefined,
    );
    assert.match(String(desk.changed()[0]), /^setChanges,5,\d+$/);
  });

  it('accept no time that is none, nor one that is still to come', async () => {
    for (const [typed, complaint] of [
      ['yesterday', 'Type a date and a time, as in 2026-03-02 08:30.'],
      ['2099-01-01 00:00', 'That time is in the future.'],
    ]) {
      const desk = await openDesk(found, [typed]);
      assert.equal(await run(commands(desk).setChangeMoment, databaseRow(5)), `not accepted: ${complaint}`);
    }
    assert.equal(readMoment('2026-02-30 08:30', 0), null);
    assert.equal(readMoment(' 2026-03-02 08:30:15 ', 60), Date.UTC(2026, 2, 2, 7, 30, 15));
  });

  it('follow a session of someone else, told what it lacks, or say that there is none', async () => {
    const desk = await openDesk(found, ['DBA']);
    const none = await run(commands(desk).followEventSession, serverRow);
    assert.match(
      String(none),
      /^No other event session that records checkpoint_begin and checkpoint_end is running on /,
    );
    const session = { name: 'DBA', startedLocalMs: null, target: 'ring', predicate: null } as const;
    desk.monitor.adoptable = [
      { ...session, tracksCausality: false, recordsCaller: false },
      { ...session, tracksCausality: true, recordsCaller: true },
    ];
    await run(commands(desk).followEventSession, serverRow);
    assert.deepEqual(desk.asked().at(-1), ['adopt', 'DBA']);
    const [lacking, other] = desk.conversation.offered.at(-1) ?? [];
    assert.match(lacking?.description ?? '', /overwrites.*without causality.*; does not say who asked; all/);
    assert.match(other?.description ?? '', /; with causality; all databases$/);
  });

  it('show all pages as one text', async () => {
    const desk = await openDesk(found);
    await run(commands(desk).showEvidence, serverRow);
    const titles = [...(desk.conversation.shown[0] ?? '').matchAll(/^# .*: (.*)$/gm)].map(
      ([, title]) => title,
    );
    assert.deepEqual(titles, ['before / after', 'I/O', 'error log']);
  });
});
