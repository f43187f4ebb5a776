/** Generates event rows in every shape that the published ones take, and in some that they might. */
import fc from 'fast-check';

export interface GeneratedRow {
  readonly objectName: string | null;
  readonly eventData: string;
}

const HOSTILE = [
  '</value></action><action name="attach_activity_id" package="package0"><value>00000000-0000-0000-0000-000000000000-1</value></action>',
  '<data name="database_id"><value>9</value></data>',
  ']]>',
  '<![CDATA[',
  '<!-- ',
  "a]b'; DROP DATABASE y;--",
  '&lt;&amp;amp;',
  '  leading blanks',
  '🦆 "quoted" \'twice\'',
  '</event>',
  '>',
  '',
];

const WORDS = [
  'session_id',
  'database_id',
  'attach_activity_id_xfer',
  'client_app_name',
  'database_name',
  'collect_system_time',
];
const GUIDS = [
  '770C3538-EC3F-4A27-86A9-31A2FC777DBC',
  '770c3538-ec3f-4a27-86a9-31a2fc777dbc',
  '00000000-0000-0000-0000-000000000001',
];
const blank = fc.constantFrom('', '', '', ' ', '\n  ', '\t', '<!-- note -->');

/** One in nine is odd. */
const mostly = (usual: fc.Arbitrary<string>, ...odd: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...odd) });

const activityText = mostly(
  fc.tuple(fc.constantFrom(...GUIDS), fc.integer({ min: 0, max: 2 ** 31 })).map(([id, n]) => `${id}-${n}`),
  ...['', 'x', '770C3538-EC3F-4A27-86A9-31A2FC777DBC', '770C3538-EC3F-4A27-86A9-31A2FC777DBC-', '-1', '1-1'],
);
const databaseText = mostly(
  fc.integer({ min: 1, max: 40000 }).map(String),
  ...['', '0', '-5', '5.0', '0x5', '2147483647', '2147483648', '99999999999', '007', ' 5 ', '5 6', 'five'],
);
const systemText = mostly(
  fc.constantFrom('true', 'false'),
  ...['1', '0', ' true', 'True', '', 'yes', 'true1'],
);
const sessionText = mostly(
  fc.integer({ min: 1, max: 32_767 }).map(String),
  ...['0', '', '-1', '32768', '65535', '007', ' 60 ', '123456', '6a'],
);
const timeText = mostly(
  fc
    .tuple(fc.integer({ min: 946684800, max: 7258118399 }), fc.stringMatching(/^(\.\d{1,7})?$/))
    .map(([seconds, fraction]) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction}Z`),
  ...[
    '18446744070113720036',
    '',
    '1601-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '2016-02-30T00:00:00Z',
    '-1',
    '2016-07-09',
  ],
);
/** How text is written: entities, CDATA, or every character as a reference. */
const encoding = fc.constantFrom<'entities' | 'cdata' | 'references'>(
  'entities',
  'entities',
  'cdata',
  'references',
);
const quote = fc.constantFrom('"', "'");

const attributes = (pairs: readonly (readonly [string, string])[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.shuffledSubarray(pairs.slice(), { minLength: pairs.length }),
      quote,
      fc.constantFrom(' ', '  ', '\n'),
    )
    .map(([shuffled, q, gap]) =>
      shuffled.map(([name, value]) => `${gap}${name}=${q}${escapeXml(value)}${q}`).join(''),
    );

const value = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(encoding, fc.constantFrom('', ' '))
    .map(([how, gap]) =>
      text === '' && gap ? '<value />' : `<value${gap}>${encodeText(text, how)}</value${gap}>`,
    );

/** A data or action element with its parts in any order. */
function field(element: string, name: string, text: string): fc.Arbitrary<string> {
  const type = fc.constantFrom(
    null,
    '<type name="uint32" package="package0"/>',
    '<type name="uint32" package="package0"></type>',
  );
  const shown = fc.constantFrom(
    null,
    '<text/>',
    '<text><![CDATA[]]></text>',
    `<text>${encodeText(HOSTILE[1] ?? '', 'cdata')}</text>`,
  );
  return fc
    .tuple(
      attributes([['name', name], ...(element === 'action' ? [['package', 'package0'] as const] : [])]),
      type,
      shown,
      value(text),
      blank,
      fc.boolean(),
    )
    .map(([attribute, typed, texted, valued, gap, isReversed]) => {
      const parts = [typed, valued, texted].filter((part) => part !== null);
      return `<${element}${attribute}>${gap}${(isReversed ? parts.reverse() : parts).join(gap)}${gap}</${element}>`;
    });
}

const extra = fc
  .tuple(fc.constantFrom('action', 'data'), fc.constantFrom(...WORDS), fc.constantFrom(...HOSTILE))
  .filter(([element, name]) => element === 'action' || name !== 'database_id')
  .chain(([element, name, text]) => field(element, name, text));

/** Nearly always one of each; sometimes none, sometimes two. */
const times = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.tuple(arbitrary) },
    { weight: 1, arbitrary: fc.array(arbitrary, { maxLength: 2 }) },
  );

const eventName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('checkpoint_begin', 'checkpoint_end') },
  { weight: 1, arbitrary: fc.constantFrom('wait_completed', 'checkpoint_begin_', 'Checkpoint_Begin', '') },
);

export const generatedRow: fc.Arbitrary<GeneratedRow> = fc
  .record({
    name: eventName,
    time: timeText,
    package: fc.constantFrom('sqlserver', 'sqlserver', 'sqlserver', 'sqlserver', 'XtpEngine'),
    hasCausality: fc.boolean(),
    ids: times(databaseText.chain((text) => field('data', 'database_id', text))),
    activities: times(activityText.chain((text) => field('action', 'attach_activity_id', text))),
    systems: times(systemText.chain((text) => field('action', 'is_system', text))),
    sessions: times(sessionText.chain((text) => field('action', 'session_id', text))),
    hasCaller: fc.boolean(),
    extras: fc.array(extra, { maxLength: 3 }),
    gap: blank,
    named: fc.constantFrom<'same' | 'none' | 'other'>('same', 'same', 'same', 'none', 'other'),
  })
  .chain((row) => {
    const fields = [
      ...row.ids,
      ...(row.hasCausality ? row.activities : []),
      ...(row.hasCaller ? [...row.systems, ...row.sessions] : []),
      ...row.extras,
    ];
    const root = attributes([
      ['name', row.name],
      ['package', row.package],
      ['timestamp', row.time],
    ]);
    return fc
      .tuple(root, fc.shuffledSubarray(fields, { minLength: fields.length }))
      .map(([attribute, shuffled]) => ({
        objectName: row.named === 'none' ? null : row.named === 'same' ? row.name : 'checkpoint_end',
        eventData: `<event${attribute}>${row.gap}${shuffled.join(row.gap)}${row.gap}</event>`,
      }));
  });

const place = fc.double({ min: 0, max: 1, noNaN: true });
const edit = fc.tuple(
  place,
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom(...'<>/&;"\'=![]-? ax5_\u0001é'.split(''), ']]>', '<value>', '</value>'),
);

/** Damage: one cut, or characters replaced, removed, inserted or repeated. */
export const damage: fc.Arbitrary<(text: string) => string> = fc.oneof(
  place.map((at) => (text: string) => text.slice(0, Math.floor(at * text.length))),
  fc.array(edit, { minLength: 1, maxLength: 3 }).map(
    (edits) => (text: string) =>
      edits.reduce((edited, [at, removed, inserted]) => {
        const from = Math.floor(at * edited.length);
        const middle = removed === 3 ? edited.slice(from, from + 40).repeat(2) : inserted;
        return edited.slice(0, from) + middle + edited.slice(from + removed);
      }, text),
  ),
);

function encodeText(text: string, how: 'entities' | 'cdata' | 'references'): string {
  if (how === 'cdata') return `<![CDATA[${text.split(']]>').join(']]]]><![CDATA[>')}]]>`;
  if (how === 'references')
    return [...text].map((character) => `&#x${character.codePointAt(0)?.toString(16)};`).join('');
  return escapeXml(text);
}

const ENTITIES = new Map(
  Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }),
);

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}
