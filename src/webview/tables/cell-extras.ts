/** What a cell of evidence has besides its text: a sign before it, a bar in place of it, a link after it. */
import type { CellBar, EvidenceCell, PageLink } from '../../core/pages/evidence-page';
import { drawSvg, createSvg, type SvgNode } from '../charts/svg-tree';
import { createButton } from '../kit/elements';

const WIDTH_PX = 132;
const TRACK_PX = 118;
const HEIGHT_PX = 14;

/** @param td its first element holds the text */
export function showExtras(
  td: HTMLElement,
  { sign, bar, link }: EvidenceCell,
  onLink: (link: PageLink) => void,
): void {
  if (sign === undefined) delete td.dataset['sign'];
  else td.dataset['sign'] = sign;
  const key = bar === undefined && link === undefined ? '' : JSON.stringify([bar, link]);
  if ((td.dataset['extra'] ?? '') === key) return;
  if (key === '') delete td.dataset['extra'];
  else td.dataset['extra'] = key;
  const [text, ...extras] = [...td.children];
  for (const extra of extras) extra.remove();
  text?.classList.toggle('visually-hidden', bar !== undefined);
  if (bar !== undefined) td.append(drawSvg(layoutBar(bar)));
  if (link !== undefined) td.append(createLink(link, onLink));
}

/** A button that looks like a link and runs a command. */
export function createLink(link: PageLink, onLink: (link: PageLink) => void): HTMLElement {
  return createButton(link.text, () => onLink(link), { class: 'link' });
}

function layoutBar({ share, before, state }: CellBar): SvgNode {
  const middle = HEIGHT_PX / 2;
  const track = { x: 0, y: middle - 3, height: 6 };
  const attributes = {
    width: WIDTH_PX,
    height: HEIGHT_PX,
    viewBox: `0 0 ${WIDTH_PX} ${HEIGHT_PX}`,
    class: 'room',
    'aria-hidden': 'true',
  };
  return createSvg('svg', attributes, [
    createSvg('rect', { class: 'track', ...track, width: TRACK_PX }),
    createSvg('rect', { class: `used ${state}`, ...track, width: TRACK_PX * share }),
    ...(before === null
      ? []
      : [
          createSvg('line', {
            class: 'before',
            x1: TRACK_PX * before,
            x2: TRACK_PX * before,
            y1: 1,
            y2: HEIGHT_PX - 1,
          }),
        ]),
    createSvg('line', { class: 'limit', x1: TRACK_PX, x2: TRACK_PX, y1: 0, y2: HEIGHT_PX }),
  ]);
}
