import assert from 'node:assert/strict';
import { readErrorLogText } from '../../../src/core/errorlog/error-log-text';
import { changeOf, PUBLISHED, readAt } from './log-texts';
import { valuesOf } from '../values-of';

describe('A log taken from the Windows events', () => {
  it('is read as what Get-WinEvent gives, a line an event, with dates of its culture', () => {
    const { changes: short } = readAt(0, `TimeCreated: 07/13/2016 03:30:14 | Id: 5084 | ${changeOf('a')}`);
    assert.deepEqual(valuesOf(short, 'databaseName', 'atUtcMs'), [['a', Date.UTC(2016, 6, 13, 3, 30, 14)]]);
    const recovery = 'Recovery completed for database x (database ID 17) in 31 second(s).';
    const noted = readAt(0, `TimeCreated: 07/13/2016 03:30:14 | Id: 3421 | ${recovery}`);
    assert.deepEqual(valuesOf(noted.recoveries, 'databaseId', 'atUtcMs'), [
      [17, Date.UTC(2016, 6, 13, 3, 30, 14)],
    ]);
    const { changes, recoveries, unrecognised } = readAt(
      60,
      `TimeCreated: 07/13/2016 03:30:14 | Id: 5084 | Message: ${changeOf('a | b')}`,
      'TimeCreated: 07/13/2016 03:31:14 | Id: 3421 | LevelDisplayName: Information | Message: Recovery completed for database x (database ID 17) in 31 second(s) (analysis 2 ms, redo 30160 ms, undo 16 ms.) This is an informational message only. No user action is required.',
      'TimeCreated: 07/13/2016 03:32:14 | Id: 4711 | Message: Something that nobody has seen before.',
    );
    assert.deepEqual(valuesOf(changes, 'databaseName', 'atUtcMs'), [
      ['a | b', Date.UTC(2016, 6, 13, 2, 30, 14)],
    ]);
    assert.deepEqual(valuesOf(recoveries, 'kind', 'databaseId'), [['completed', 17]]);
    assert.deepEqual(valuesOf(unrecognised, 'text'), ['Something that nobody has seen before.']);
  });

  it('is read as a table of PowerShell with the level before the text, and as XML that the Event Viewer saved', () => {
    const table = readAt(0, `5/18/2018 2:28:16 PM Information ${changeOf('a')}`);
    assert.deepEqual(valuesOf(table.changes, 'databaseName', 'atUtcMs'), [
      ['a', Date.UTC(2018, 4, 18, 14, 28, 16)],
    ]);
    const event = (minute: number): string =>
      `<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><EventID Qualifiers='16384'>5084</EventID><Level>4</Level><TimeCreated SystemTime='2026-03-24T02:0${minute}:48.000Z'/></System><EventData><Data>a</Data><Data>b</Data></EventData><RenderingInfo><Message>${changeOf(`a${minute}`)}</Message><Level>Information</Level></RenderingInfo></Event>`;
    const { changes, unrecognised } = readErrorLogText(
      `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<Events>${event(1)}${event(2)}</Events>`,
    );
    assert.deepEqual(valuesOf(changes, 'databaseName', 'logDateLocal'), [
      ['a1', '2026-03-24T02:01:48.000Z'],
      ['a2', '2026-03-24T02:02:48.000Z'],
    ]);
    assert.deepEqual(unrecognised, []);
  });

  describe('as Format-List makes it of Get-WinEvent', () => {
    const write = (date: string, message: readonly string[]): readonly string[] => [
      `TimeCreated  : ${date}`,
      'ProviderName : MSSQLSERVER',
      'Id           : 17890',
      ...message.map((line, at) => (at === 0 ? 'Message      : ' : ' '.repeat(15)) + line),
      '',
    ];
    const RECOVERY = [
      'Recovery completed for database x (database ID 17) in 31',
      'second(s) (analysis 2 ms, redo 30160 ms, undo 16 ms.)',
    ];

    it('is read with its dates, and with texts of several lines and wrapped ones', () => {
      const lines = [
        '',
        '',
        ...write('11/20/2026 9:15:02 AM', PUBLISHED),
        ...write('11/10/2026 12:05:00 PM', RECOVERY),
        '',
      ];
      const { form, groups, recoveries, counts } = readAt(60, ...lines);
      assert.equal(form, 'Windows events');
      assert.deepEqual(valuesOf(groups, 'state', 'databaseId', 'averageWriteLatencyMs'), [['whole', 19, 1]]);
      assert.deepEqual(valuesOf(groups, 'logDateLocal', 'atUtcMs'), [
        ['11/20/2026 9:15:02 AM', Date.UTC(2026, 10, 20, 8, 15, 2)],
      ]);
      assert.deepEqual(valuesOf(recoveries, 'kind', 'databaseId', 'atUtcMs'), [
        ['completed', 17, Date.UTC(2026, 10, 10, 11, 5)],
      ]);
      assert.deepEqual(counts.lines, { read: 16, parsed: 14, noise: 2, unrecognised: 0 });
    });

    it('is read where each line of a message is an event, newest first, and with the dates of another culture', () => {
      const { groups } = readAt(
        0,
        ...[...PUBLISHED].reverse().flatMap((line) => write('20.11.2026 09:15:02', [line])),
      );
      assert.deepEqual(valuesOf(groups, 'state', 'atUtcMs'), [['whole', Date.UTC(2026, 10, 20, 9, 15, 2)]]);
    });

    it('gives each text its own date where the text stands before it', () => {
      const list = (date: string, name: string): string =>
        `\nMessage     : ${changeOf(name)}\nLevel       : 4\nTimeCreated : ${date}\n`;
      const text = list('11/20/2026 9:15:02 AM', 'a') + list('11/21/2026 9:15:02 AM', 'b : c');
      assert.deepEqual(valuesOf(readErrorLogText(text).changes, 'databaseName', 'logDateLocal'), [
        ['a', '11/20/2026 9:15:02 AM'],
        ['b : c', '11/21/2026 9:15:02 AM'],
      ]);
    });

    it('keeps what was written under an event, what has no text, and a text that never ends', () => {
      const under = readErrorLogText(
        [...write('11/20/2026 9:15:02 AM', PUBLISHED), 'What does that mean?'].join('\n'),
      );
      assert.deepEqual(
        [under.groups[0]?.state, valuesOf(under.unrecognised, 'text')],
        ['whole', ['What does that mean?']],
      );
      assert.deepEqual(
        readErrorLogText('TimeCreated : 11/20/2026 9:15:02 AM\nId : 17890\n').counts.lines.unrecognised,
        2,
      );
      const endless = write('11/20/2026 9:15:02 AM', Array<string>(3_000).fill('a'.repeat(100)));
      const { counts, unrecognised } = readErrorLogText(
        [...endless, ...write('11/20/2026 9:16:02 AM', PUBLISHED)].join('\n'),
      );
      assert.deepEqual([counts.lines.read, counts.parsed], [endless.length + 7, 1]);
      assert.ok(unrecognised.every(({ text }) => text.length <= 2_000));
    });
  });
});
