import assert from 'node:assert/strict';
import type { ScriptSet } from '../../../src/core/script/script-set';
import type { ReviewText } from '../../../src/core/script/text';
import { ScriptOpening } from '../../../src/shell/review/script-opening';

const scripts: ScriptSet = {
  scripts: [1, 2, 3, 4].map((at) => ({ title: `script ${at}`, kind: 'change', wave: at, text: `text ${at}` as ReviewText })),
  record: '',
};

/** An editor that fails or stops the reader's patience at one of the scripts. */
function openDesk(at: (title: string) => void = () => undefined): { opening: ScriptOpening; opened: string[]; said: string[] } {
  const [opened, said] = [[] as string[], [] as string[]];
  const open = async (_text: string, title: string): Promise<void> => {
    at(title);
    opened.push(title);
  };
  return { opening: new ScriptOpening(scripts, { open }, 'server-1'), opened, said };
}

describe('the editors of a set of scripts', () => {
  it('are opened in order, with how far it is, and all again where all were opened', async () => {
    const { opening, opened, said } = openDesk();
    for (const round of [1, 2]) {
      assert.equal(opening.left, 4);
      await opening.run(new AbortController().signal, (sentence) => said.push(sentence));
      assert.deepEqual([opened.length, opening.isWhole, opening.openedScripts], [4 * round, true, scripts]);
    }
    assert.equal(said[1], 'Opening 2 of 4…');
  });

  it('stop between two where the reader stops it, and go on with the next', async () => {
    const stop = new AbortController();
    const { opening, opened } = openDesk((title) => title === 'script 2' && stop.abort());
    await opening.run(stop.signal, () => undefined);
    assert.deepEqual([opened, opening.left, opening.isWhole], [['script 1', 'script 2'], 2, false]);
    assert.equal(
      opening.describeStop(),
      'Stopped. Opened 2 of 4 editors. Open them again to continue with the next one. Nothing was executed.',
    );
    assert.deepEqual(opening.openedScripts?.scripts, scripts.scripts.slice(0, 2));
    await opening.run(new AbortController().signal, () => undefined);
    assert.deepEqual(opened, ['script 1', 'script 2', 'script 3', 'script 4']);
  });

  it('say how far it came where one fails, and try that one again', async () => {
    let isBroken = true;
    const { opening, opened } = openDesk((title) => {
      if (title === 'script 3' && isBroken) throw new Error('no connection.');
    });
    const { signal } = new AbortController();
    await assert.rejects(
      opening.run(signal, () => undefined),
      /^Error: Opened 2 of 4 editors\. script 3 could not be opened: no connection\. Open them again/,
    );
    isBroken = false;
    await opening.run(signal, () => undefined);
    assert.deepEqual(opened, ['script 1', 'script 2', 'script 3', 'script 4']);
  });

  it('know of nothing opened before the first', () => assert.equal(openDesk().opening.openedScripts, null));
});
