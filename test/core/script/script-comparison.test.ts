import assert from 'node:assert/strict';
import { writeComparedText } from '../../../src/core/script/script-comparison';
import type { ReviewText } from '../../../src/core/script/text';

describe('The text by which two sets of scripts are compared', () => {
  it('holds every script under its title, which cannot end its comment', () => {
    const script = (title: string, text: string) => ({ title, kind: 'change', text: text as ReviewText }) as const;
    const text = writeComparedText({ scripts: [script('on A*/B', 'one'), script('two', 'two')], record: '' });
    assert.equal(text, '/* ==== on A* /B ==== */\none\n\n/* ==== two ==== */\ntwo');
  });
});
