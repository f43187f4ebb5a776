import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import promises from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createOutput, type Output, writeResult } from '../../cli/src/kit/output';
import { makeFolder } from '../temporary-folder';

interface Said {
  readonly output: Output;
  readonly out: () => string;
  readonly error: () => string;
}

function say(
  wanted: 'auto' | 'text' | 'json',
  {
    isTTY = true,
    columns = 40,
    environment = {},
    isQuiet = false,
  }: { isTTY?: boolean; columns?: number; environment?: Record<string, string>; isQuiet?: boolean } = {},
): Said {
  let [out, error] = ['', ''];
  const streams = {
    out: { write: (text: string) => (out += text) },
    error: { isTTY, columns, write: (text: string) => (error += text) },
  };
  return {
    output: createOutput(wanted, environment, streams, () => 0, isQuiet),
    out: () => out,
    error: () => error,
  };
}

describe('What the command line says', () => {
  it('shows people on a terminal colour and a bar of progress, which gives way to what happens', () => {
    const { output, error, out } = say('auto');
    output.progress(1, 2, 'servers');
    output.event('warning', 'S0: not reached.');
    output.progress(2, 2, 'x'.repeat(100));
    output.result('done');
    const [half, full] = ['█'.repeat(10), '█'.repeat(20)];
    assert.equal(
      error(),
      `\r\u001b[K${half}${'░'.repeat(10)} 1 of 2 servers\r\u001b[K\u001b[33mwarning\u001b[0m S0: not reached.\n\r\u001b[K${full} 2 of 2 ${'x'.repeat(11)}\r\u001b[K`,
    );
    assert.equal(out(), 'done\n');
  });

  it('writes one JSON object a line where nobody looks, with the fields, and no progress', () => {
    const { output, error } = say('auto', { isTTY: false });
    output.progress(1, 2, 'servers');
    output.event('warning', 'S0: not "reached".\nSo it is.', { server: 'S0', outcome: 'not reached' });
    assert.equal(error().split('\n').length, 2);
    assert.deepEqual(JSON.parse(error()), {
      time: '1970-01-01T00:00:00.000Z',
      level: 'warning',
      message: 'S0: not "reached".\nSo it is.',
      server: 'S0',
      outcome: 'not reached',
    });
  });

  for (const [title, form, terminal, said] of [
    [
      'uses no colour with NO_COLOR, and keeps the progress',
      'auto',
      { environment: { NO_COLOR: '1' } },
      `\r\u001b[Kerror No.\n\r\u001b[K${'░'.repeat(20)} 0 of 2 servers`,
    ],
    ['sends a dumb terminal nothing but text', 'text', { environment: { TERM: 'dumb' } }, 'error No.\n'],
    ['writes text if it is asked to, also where nobody looks', 'text', { isTTY: false }, 'error No.\n'],
  ] as const)
    it(title, () => {
      const { output, error } = say(form, terminal);
      output.event('error', 'No.');
      output.progress(0, 2, 'servers');
      assert.equal(error(), said);
    });

  for (const [title, isTTY, environment, red] of [
    ['with colour where its results are read on a terminal', true, {}, '\u001b[31mx\u001b[0m'],
    ['without colour where the user wants none', true, { NO_COLOR: '1' }, 'x'],
    ['as no terminal where a program reads them', false, {}, undefined],
  ] as const)
    it(`knows standard output ${title}`, () => {
      const streams = { out: { isTTY, columns: 70, write: assert.fail }, error: { write: assert.fail } };
      const { screen } = createOutput('auto', environment, streams, () => 0);
      assert.deepEqual([screen?.columns, screen?.paint('red', 'x')], [isTTY ? 70 : undefined, red]);
    });

  it('says with --quiet only what went wrong, and results', () => {
    const { output, error, out } = say('auto', { isQuiet: true, environment: { NO_COLOR: '1' } });
    output.progress(1, 2, 'servers');
    output.event('info', 'S1: collected');
    output.event('warning', 'S0: not reached.');
    output.result('report');
    assert.equal(error(), '\r\u001b[Kwarning S0: not reached.\n\r\u001b[K');
    assert.equal(out(), 'report\n');
  });

  it('lets no name of a server write into the terminal', () => {
    const { output, error } = say('text');
    output.event('info', 'a\u001b[2Jb\u202ec');
    assert.equal(error(), '\r\u001b[Ka<U+001B>[2Jb<U+202E>c\n');
  });
});

describe('A result in a file', () => {
  it('is whole, or as it was where the disk has no room, and written in place where its folder refuses another', async () => {
    const file = join(makeFolder(), 'report.html');
    await writeResult(file, 'first');
    const { open, rename } = promises;
    const fail = (code: string): never => {
      throw Object.assign(new Error(code), { code });
    };
    promises.open = async (path, flags) => {
      const handle = await open(path, flags);
      return Object.assign(handle, { sync: async () => fail('ENOSPC') });
    };
    chmodSync(file, 0o604);
    await assert
      .rejects(writeResult(file, 'half'), { code: 'ENOSPC', message: `${file}: ENOSPC` })
      .finally(() => (promises.open = open));
    assert.deepEqual([readdirSync(dirname(file)), readFileSync(file, 'utf8')], [['report.html'], 'first']);
    const { ino } = statSync(file);
    promises.rename = async () => fail('EBUSY');
    await writeResult(file, 'mounted').finally(() => (promises.rename = rename));
    assert.deepEqual(
      [readdirSync(dirname(file)), readFileSync(file, 'utf8'), statSync(file).ino],
      [['report.html'], 'mounted', ino],
    );
    await writeResult(file, 'replaced');
    assert.equal(statSync(file).mode & 0o777, 0o604);
    assert.notEqual(statSync(file).ino, ino);
    await assert.rejects(
      writeResult(join(file, '..', 'none', 'a.html'), ''),
      /none\/a\.html'$/,
      'names the file that was given',
    );
    symlinkSync(file, `${file}.link`);
    await writeResult(`${file}.link`, 'second');
    assert.equal(readFileSync(file, 'utf8'), 'second', 'through a link, which stays one');
  });
});
