/**
 * The change record: what was proposed, on what evidence, what was left out and why, and how to check that the script
 * that was run is the one reviewed. Unlike the scripts it is in the user's language.
 */
import { writeFinding } from '../advice/finding';
import { formatRange } from '../pages/forecast-words';
import { countDatabases, formatCount, formatPercent } from '../format';
import { joinSentences, t } from '../language';
import { mapInSteps, type Steps } from '../steps';
import { NOT_MEASURED, type Plan, type PrimarySteps, UNUSUALLY_SHORT_TARGET_SECONDS } from '../advice/plan';
import { escapeLine, escapeText, writeTableRow } from '../markdown';
import type { ReviewScript } from './script-set';
import { type ScriptOrigin, sizeWaves, type WaveSizes } from './switch-heading';

/** Markdown, ends with a line break. Names and reasons are escaped, so they stay text. */
export function* writeChangeRecord(
  plan: Plan,
  scripts: readonly ReviewScript[],
  origin: ScriptOrigin,
): Steps<string> {
  const parts = [
    `# ${t('Change record: target recovery time on {0}', escapeText(origin.serverName))}`,
    writeOrigin(plan, origin),
    writeSection(t('Proposed changes'), yield* writeSteps(plan)),
    ...(plan.elsewhere ?? []).map((there) =>
      writeSection(t('Proposed on {0}', escapeLine(there.primary)), writeStepsElsewhere(there, origin)),
    ),
    writeSection(t('Evidence'), writeEvidence(origin)),
    writeSection(t('Forecast'), writeForecast(origin)),
    writeSection(t('Findings before the change'), yield* writeFindings(plan, origin)),
    writeSection(t('Left out'), yield* writeExclusions(plan)),
    writeSection(t('Waves and what stops them'), writeList(describeStops(plan))),
    writeSection(t('Scripts'), writeScripts(scripts, origin)),
    writeSection(t('How to check that a script is the one that was reviewed'), CHECKING_HASH),
    writeSection(t('How to undo it'), writeList(ROLLBACK)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function writeSection(heading: string, text: string): string {
  return `## ${heading}\n\n${text}`;
}

function writeList(sentences: readonly string[]): string {
  return sentences.map((sentence) => `- ${escapeLine(sentence)}`).join('\n');
}

function writeTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  return [writeTableRow(heading), writeRule(heading), ...rows.map(writeTableRow)].join('\n');
}

function writeRule(heading: readonly string[]): string {
  return `| ${heading.map(() => '---').join(' | ')} |`;
}

function writeOrigin(plan: Plan, origin: ScriptOrigin): string {
  const reason = (plan.reason ?? '').trim();
  const sentences = [
    t('Written by Checkpoint Health from facts read at {0}. Nothing was run.', origin.readAt),
    ...(reason === '' ? [] : [t('Reason: {0}', reason)]),
    ...(plan.targetSeconds > 0 && plan.targetSeconds < UNUSUALLY_SHORT_TARGET_SECONDS
      ? [UNUSUALLY_SHORT]
      : []),
    plan.targetSeconds === 0 ? EFFECT_OF_AUTOMATIC : EFFECT_OF_INDIRECT,
  ];
  return sentences.map(escapeLine).join('\n\n');
}

const UNUSUALLY_SHORT = t(
  'Unusually short: below {0} seconds pages are written more often than needed, so total writes rise.',
  UNUSUALLY_SHORT_TARGET_SECONDS,
);
const EFFECT_OF_AUTOMATIC = t(
  'What to expect: page writes move from the background writer into checkpoints, which scan all memory. It takes effect at once, without a restart; plans may be compiled again.',
);
const EFFECT_OF_INDIRECT = t(
  'What to expect: page writes move from checkpoints to the background writer, and may rise in all. It takes effect at once, without a restart: the backlog of dirty pages is written then, and plans may be compiled again.',
);

function writeStepsElsewhere({ primary, steps }: PrimarySteps, { serverName }: ScriptOrigin): string {
  const view = t(
    '{0} itself was not read, so its findings are not known. {1} has copies of these databases, which show the values below.',
    primary,
    serverName,
  );
  const rows = steps.map(({ wave, database, groupDatabaseId = null, fromSeconds, toSeconds }) => [
    String(wave),
    database.name,
    groupDatabaseId ?? '',
    String(fromSeconds),
    String(toSeconds),
  ]);
  return `${escapeLine(view)}\n\n${writeTable([t('Wave'), t('Database'), t('Identity in the group'), t('From, s'), t('To, s')], rows)}`;
}

function* writeLongTable<T>(
  heading: readonly string[],
  items: readonly T[],
  cells: (item: T) => readonly string[],
): Steps<string> {
  const rows = yield* mapInSteps(items, (item) => writeTableRow(cells(item)));
  return [writeTableRow(heading), writeRule(heading), ...rows].join('\n');
}

function* writeSteps({ steps, order }: Plan): Steps<string> {
  if (steps.length === 0) return t('None on this server.');
  const heading = [t('Wave'), t('Database'), t('Id'), t('Created'), t('From, s'), t('To, s'), t('Evidence')];
  const table = yield* writeLongTable(
    heading,
    steps,
    ({ database, wave, fromSeconds, toSeconds, evidence }) => {
      const identity = [String(database.databaseId), database.createdLocal];
      return [
        String(wave),
        database.name,
        ...identity,
        String(fromSeconds),
        String(toSeconds),
        evidence === NOT_MEASURED ? t('no checkpoint measured') : evidence,
      ];
    },
  );
  return order === undefined ? table : `${escapeLine(order)}\n\n${table}`;
}

function writeEvidence({ snapshot }: ScriptOrigin): string {
  const gaps = snapshot?.gaps ?? [];
  const seen = snapshot?.sentences ?? [];
  const unseen =
    gaps.length === 0
      ? []
      : [`${t('Gaps, in which nothing was seen ({0}):', gaps.length)}\n\n${writeList(gaps)}`];
  return [writeList(seen), ...unseen].join('\n\n');
}

/** The forecast made before the change, so that it can be compared with what comes. */
function writeForecast({ forecast = null, readAt }: ScriptOrigin): string {
  if (forecast === null || forecast.waves.length === 0)
    return t('None: too little measured, or nothing to switch.');
  const { now, bound, waves } = forecast;
  const sentences = [
    t(
      'Made at {0}. The checkpoint task was busy {1} of the time. Goal: under {2}.',
      readAt,
      formatPercent(now),
      formatPercent(bound),
    ),
    t('Compare it with the same hours as measured.'),
    // Only where the forecast says so.
    (waves[0]?.high ?? 0) < now
      ? ''
      : t(
          'While there is a queue, other databases may use the time that a wave frees, so the first waves may change little.',
        ),
    t('Total writes are not forecast. They may rise.'),
  ];
  const rows = waves.map((one) => [String(one.wave), formatCount(one.databases), formatRange(one)]);
  return `${escapeLine(joinSentences(...sentences))}\n\n${writeTable([t('After wave'), t('Databases in it'), t('Task busy')], rows)}`;
}

function* writeFindings({ steps }: Plan, { preflight }: ScriptOrigin): Steps<string> {
  if (preflight === undefined) return t('Nothing was checked.');
  const own = yield* mapInSteps(steps, ({ database }) =>
    (preflight.databases.get(database.databaseId) ?? []).map((one) => writeFinding(database.name, one)),
  );
  const found = [...preflight.server.map((one) => writeFinding(t('The server'), one)), ...own.flat()];
  const unseen = preflight.unseen.map((sentence) => `- ${t('Not seen: {0}', escapeText(sentence))}`);
  return found.length + unseen.length === 0 ? t('None.') : [...found, ...unseen].join('\n');
}

function* writeExclusions({ exclusions }: Plan): Steps<string> {
  if (exclusions.length === 0) return t('None of the chosen databases.');
  return yield* writeLongTable(
    [t('Database'), t('Reason'), t('Change it on')],
    exclusions,
    ({ name, reason, elsewhere }) => [name, reason, elsewhere ?? ''],
  );
}

function writeScripts(scripts: readonly ReviewScript[], { hash = null }: ScriptOrigin): string {
  const rows = scripts.map(({ title, kind, text }) => [
    title,
    KIND_WORDS[kind],
    hash === null ? t('not computed') : hash(text),
  ]);
  return `${t('Run the rollback only to undo the switch.')}\n\n${writeTable([t('Script'), t('Kind'), 'SHA-256'], rows)}`;
}

const KIND_WORDS: Readonly<Record<ReviewScript['kind'], string>> = {
  change: t('change'),
  rollback: t('rollback'),
  analysis: t('analysis'),
  'agent job': t('Agent job'),
};

const CHECKING_HASH = [
  t(
    'A hash covers the exact bytes: UTF-8, no byte order mark, LF line ends. If an editor saved the script differently, save it again in that form.',
  ),
  '```\ncertutil -hashfile script.sql SHA256      (Windows)\nsha256sum script.sql                      (Linux)\nshasum -a 256 script.sql                  (macOS)\n```',
].join('\n\n');

const ROLLBACK = [
  t(
    'Run the rollback script for all waves or for one (@wave). It resets what still has the value of the switch, no matter who set it.',
  ),
  t(
    'To undo exactly what the switch CHANGED, paste the undo_row column of its result over the list of the rollback script.',
  ),
  t('Databases of an availability group: after a failover, run the same script on the new primary replica.'),
];

function describeStops(plan: Plan): readonly string[] {
  const steps = plan.steps.concat((plan.elsewhere ?? []).flatMap((there) => there.steps));
  const sizes = sizeWaves(steps, plan);
  if (sizes === null) return [t('One wave: all databases in one run. Three failures stop it.')];
  const between =
    plan.waves.pauseMinutes === null
      ? t('One script: @wave says which wave it runs. Three failures stop it.')
      : describePause(plan.waves.pauseMinutes, plan.waves.stopAboveWriteMs);
  return [describeWaves(sizes), ...(plan.order === undefined ? [] : [plan.order]), between];
}

function describeWaves({ count, largest, runs }: WaveSizes): string {
  if (runs === null) return t('Waves: {0}, each of up to {1}.', count, countDatabases(largest));
  const words = runs.map(({ from, to, size, isCanary }) => {
    if (from < to)
      return to === from + 1
        ? t('{0} and {1} have {2} each', from, to, size)
        : t('{0} to {1} have {2} each', from, to, size);
    return isCanary ? t('{0} is a canary of {1}', from, size) : t('{0} has {1}', from, size);
  });
  return t('Waves: {0}.', words.join(', '));
}

function describePause(minutes: number, stopAboveWriteMs: number | null): string {
  const looks = t('The script watches for {0} min before each wave, then goes on by itself.', minutes);
  const writes =
    stopAboveWriteMs === null
      ? t('It stops if data writes take twice as long.')
      : t('It stops if data writes take more than {0} ms.', stopAboveWriteMs);
  const others = t(
    'It also stops after a failure, or if WRITELOG waits take twice as long, a log becomes 70 % full, an earlier wave has changed since, or one of these limits cannot be seen.',
  );
  return joinSentences(looks, writes, others);
}
