/** The change record: what was proposed, on what evidence, what was left out and why, and how to check that the script that was run is the one reviewed. */
import type { Finding } from '../advice/finding';
import { formatRange } from '../pages/instance-words';
import { english } from '../format';
import { mapInSteps, type Steps } from '../steps';
import type { Plan, PrimarySteps } from '../advice/plan';
import { escapeLine, escapeText, writeSource, writeTableRow } from '../markdown';
import type { ReviewScript } from './script-set';
import { describeEffect, describePause, describeReason, describeWaves, type ScriptOrigin } from './switch-heading';

/** Markdown, ends with a line break. Names and reasons are escaped, so they stay text. */
export function* writeChangeRecord(plan: Plan, scripts: readonly ReviewScript[], origin: ScriptOrigin): Steps<string> {
  const parts = [
    `# Change record: target recovery time on ${escapeText(origin.serverName)}`,
    writeOrigin(plan, origin),
    writeSection('Proposed changes', yield* writeSteps(plan)),
    ...(plan.elsewhere ?? []).map((there) => writeSection(`Proposed on ${escapeLine(there.primary)}`, writeStepsElsewhere(there, origin))),
    writeSection('Evidence', writeEvidence(origin)),
    writeSection('Forecast', writeForecast(origin)),
    writeSection('Findings before the change', yield* writeFindings(plan, origin)),
    writeSection('Left out', yield* writeExclusions(plan)),
    writeSection('Waves and what stops them', writeList(describeStops(plan))),
    writeSection('Scripts', yield* writeScripts(scripts, origin)),
    writeSection('How to check that a script is the one reviewed', checkingHash),
    writeSection('How to take it back', writeList(rollback)),
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
  const reason = describeReason(plan);
  const effect = describeEffect(plan.targetSeconds);
  const sentences = [
    `Written by Checkpoint Health from facts read at ${origin.readAt}. Nothing was executed by it.`,
    ...(reason.length === 0 ? [] : [`Reason: ${reason.join(' ')}`]),
    `What to expect: ${effect}`,
  ];
  return sentences.map(escapeLine).join('\n\n');
}

function writeStepsElsewhere({ primary, steps }: PrimarySteps, { serverName }: ScriptOrigin): string {
  const view = `Not looked at: ${primary} itself. ${serverName} has copies of these databases, which show the values below. Preflight of ${primary}: unseen.`;
  const rows = steps.map(({ wave, database, groupDatabaseId = null, fromSeconds, toSeconds }) => [
    String(wave),
    database.name,
    groupDatabaseId ?? '',
    String(fromSeconds),
    String(toSeconds),
  ]);
  return `${escapeLine(view)}\n\n${writeTable(['Wave', 'Database', 'Identity in the group', 'From, s', 'To, s'], rows)}`;
}

function* writeLongTable<T>(
  heading: readonly string[],
  items: readonly T[],
  cells: (item: T) => readonly string[],
  aStep?: number,
): Steps<string> {
  const rows = yield* mapInSteps(items, (item) => writeTableRow(cells(item)), aStep);
  return [writeTableRow(heading), writeRule(heading), ...rows].join('\n');
}

function* writeSteps({ steps, order }: Plan): Steps<string> {
  if (steps.length === 0) return 'None on this server.';
  const heading = ['Wave', 'Database', 'Id', 'Created', 'From, s', 'To, s', 'Evidence'];
  const table = yield* writeLongTable(heading, steps, ({ database, wave, fromSeconds, toSeconds, evidence }) => {
    const identity = [String(database.databaseId), database.createdLocal];
    return [String(wave), database.name, ...identity, String(fromSeconds), String(toSeconds), evidence];
  });
  return order === undefined ? table : `${escapeLine(order)}\n\n${table}`;
}

function writeEvidence({ evidence, snapshot }: ScriptOrigin): string {
  const gaps = snapshot?.gaps ?? [];
  const seen = [evidence, ...(snapshot?.sentences ?? [])];
  const unseen = gaps.length === 0 ? [] : [`Gaps, in which nothing was seen (${gaps.length}):\n\n${writeList(gaps)}`];
  return [writeList(seen), ...unseen].join('\n\n');
}

/** The forecast made before the change, so that it can be compared with what comes. */
function writeForecast({ forecast = null, readAt }: ScriptOrigin): string {
  if (forecast === null || forecast.waves.length === 0)
    return 'None: the checkpoint task was not measured long enough, or nothing leaves it.';
  const { now, bound, waves } = forecast;
  const sentences = [
    `Made at ${readAt}. The checkpoint task was busy ${english.formatPercent(now)} of the time; up to ${english.formatPercent(bound)} it counts as free.`,
    'Compare it with the same hours as measured. While a queue stands, the others take the time that is freed: the first waves may change little.',
    'Total writes are not forecast. They may rise.',
  ];
  const rows = waves.map((one) => [String(one.wave), english.formatCount(one.databases), formatRange(one)]);
  return `${sentences.map(escapeLine).join(' ')}\n\n${writeTable(['After wave', 'Databases in it', 'Task busy'], rows)}`;
}

function* writeFindings({ steps }: Plan, { preflight }: ScriptOrigin): Steps<string> {
  if (preflight === undefined) return 'None was looked for.';
  const own = yield* mapInSteps(steps, ({ database }) =>
    (preflight.databases.get(database.databaseId) ?? []).map((one) => writeFinding(database.name, one)),
  );
  const found = [...preflight.server.map((one) => writeFinding('The server', one)), ...own.flat()];
  const unseen = preflight.unseen.map((sentence) => `- Not seen: ${escapeText(sentence)}`);
  return found.length + unseen.length === 0 ? 'None.' : [...found, ...unseen].join('\n');
}

function writeFinding(subject: string, { severity, sentence, remedy, sources }: Finding): string {
  const what = `- **${escapeText(subject)}**, ${severity}: ${escapeText(sentence)}${remedy === null ? '' : ` ${escapeText(remedy)}`}`;
  return sources.length === 0 ? what : `${what} Source: ${sources.map(writeSource).join('; ')}.`;
}

function* writeExclusions({ exclusions }: Plan): Steps<string> {
  if (exclusions.length === 0) return 'Nothing that was chosen.';
  return yield* writeLongTable(['Database', 'Reason', 'To be changed on'], exclusions, ({ name, reason, elsewhere }) => [
    name,
    reason,
    elsewhere ?? '',
  ]);
}

/** A hash of a long script takes a step of its own. */
function* writeScripts(scripts: readonly ReviewScript[], { hash = null }: ScriptOrigin): Steps<string> {
  const cells = ({ title, kind, text }: ReviewScript): readonly string[] => [title, kind, hash === null ? 'not computed' : hash(text)];
  const table = yield* writeLongTable(['Script', 'Kind', 'SHA-256'], scripts, cells, 1);
  return `The rollback is run only to undo the switch.\n\n${table}`;
}

const checkingHash = [
  'A hash is that of the exact bytes: UTF-8 without a byte order mark, lines ended by LF. An editor may have saved them otherwise; then save the script again with that encoding and those line ends.',
  '```\ncertutil -hashfile script.sql SHA256      (Windows)\nsha256sum script.sql                      (Linux)\nshasum -a 256 script.sql                  (macOS)\n```',
].join('\n\n');

const rollback = [
  'Run the rollback script: all waves at once, or one by its @wave. It takes back what still has the value of the switch, whoever set it.',
  'To take back exactly what the switch CHANGED, put rows of the column undo_row of its result in place of the list of the rollback script.',
  'Databases of an availability group: after a failover run the same script on the new primary.',
];

function describeStops(plan: Plan): readonly string[] {
  const waves = describeWaves(plan.steps.concat((plan.elsewhere ?? []).flatMap((there) => there.steps)), plan);
  if (waves === '') return ['One wave: all databases in one run. Three failures stop it.'];
  const between =
    plan.waves.pauseMinutes === null ? 'One script: its @wave says which wave a run takes. Three failures stop it.' : describePause(plan);
  return [`Waves: ${waves}`, ...(plan.order === undefined ? [] : [plan.order]), between];
}
