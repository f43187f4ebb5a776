import assert from 'node:assert/strict';
import { XMLParser } from 'fast-xml-parser';
import fc from 'fast-check';
import { makeVisible } from '../../../src/core/visible';
import { createSvg, writeSvg } from '../../../src/webview/charts/svg-tree';

/** What a reader of XML finds where a name was put: the text of the element and its attribute. */
function readBack(name: string): { readonly text: string; readonly attribute: string } {
  const xml = writeSvg(
    createSvg('svg', { width: 10 }, [createSvg('text', { 'aria-label': name, x: 1.23456 }, name)]),
  );
  const parser = new XMLParser({
    ignoreAttributes: false,
    trimValues: false,
    parseTagValue: false,
    processEntities: true,
    htmlEntities: false,
  });
  const { text } = (parser.parse(xml) as { svg: { text: string | Record<string, string> } }).svg;
  assert.ok(typeof text === 'object');
  return { text: text['#text'] ?? '', attribute: text['@_aria-label'] ?? '' };
}

describe('An SVG as text', () => {
  it('says which kind of XML it is, and rounds to tenths of a pixel', () => {
    const xml = writeSvg(
      createSvg('svg', { width: 10 }, [createSvg('line', { x1: 1.23456 }), createSvg('g', {})]),
    );
    assert.equal(
      xml,
      '<svg xmlns="http://www.w3.org/2000/svg" width="10">\n  <line x1="1.2"/>\n  <g/>\n</svg>\n',
    );
  });

  it('keeps any name as it is read, markup too', () => {
    const names = fc
      .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
      .filter((name) => name.trim() !== '');
    fc.assert(
      fc.property(names, (name) =>
        assert.deepEqual(readBack(name), { text: makeVisible(name), attribute: makeVisible(name) }),
      ),
      { examples: [['<img src=x onerror=alert(1)>'], [']]>'], ['&amp;'], ['a"b\'c'], ['😀']] },
    );
  });

  it('names what XML does not know, and has the sign for no character where that has no name', () => {
    assert.equal(readBack('a\u0000b\ud800c\ufffed').text, 'a<U+0000>b<U+D800>c\ufffdd');
  });
});
