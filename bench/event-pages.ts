/** A capture that grows page by page, like one that is followed. */
import { type Capture, createCapture } from '../src/core/capture/capture';
import { BEGIN_UTC_MS, createEventRows, EVENT_MS } from './event-rows';

const PAGE = 1000;

/**
 * Rows of one page. Other pages are copies with other times and numbers, because making rows takes longer than reading
 * them.
 */
const template = createEventRows(PAGE, 500, 'own');
function createPage(page: number) {
  return template.map((row, i) => {
    const at = BEGIN_UTC_MS + (page * PAGE + i) * EVENT_MS;
    const eventData = (row.eventData ?? '')
      .replace(/timestamp="[^"]+"/, `timestamp="${new Date(at).toISOString()}"`)
      .replace(/-(\d+)<\/value><\/action><\/event>$/, `-${page * PAGE + i + 1}</value></action></event>`);
    return { ...row, eventData, fileOffset: String(page * 4096) };
  });
}

/** @param afterPage called with the number of each page, from 0 */
export function streamCapture(
  checkpoints: number,
  afterPage: (page: number) => void = () => undefined,
): Capture {
  const capture = createCapture({ id: 'bench' });
  const pages = (checkpoints * 2) / PAGE;
  for (let page = 0; page < pages; page++) {
    capture.append(createPage(page));
    capture.settle(BEGIN_UTC_MS + (page * PAGE - 400) * EVENT_MS);
    afterPage(page);
  }
  capture.observe(BEGIN_UTC_MS, BEGIN_UTC_MS + checkpoints * 2 * EVENT_MS);
  capture.settle(Infinity);
  return capture;
}
