/** One way to pair events, so many times: what callgrind counts. Arguments: way, shape of the rows, passes, events. */
import { pairWithFastXmlParser, pairWithOurs, pairWithSaxes, pairWithXml2js, type Pairing } from './event-contenders';
import { createEventRows, type RowShape } from './event-rows';

const ways: Readonly<Record<string, Pairing>> = {
  ours: pairWithOurs,
  saxes: pairWithSaxes,
  'fast-xml-parser': pairWithFastXmlParser,
  xml2js: pairWithXml2js,
};
const [, , way = '', shape = '', passes = '', events = ''] = process.argv;
const rows = createEventRows(Number(events), 500, shape as RowShape);
for (let pass = 0; pass < Number(passes); pass++) ways[way]?.(rows);
