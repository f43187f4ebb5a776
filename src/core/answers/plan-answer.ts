/** The plan of a switch as an answer to a language model. The script is not in it: the user opens and runs it. */
import { countDatabases, countOf, formatPercent } from '../format';
import { t } from '../language';
import { escapeLine, escapeText } from '../markdown';
import { writeFinding } from '../advice/finding';
import { listWaves } from '../advice/plan';
import { formatRange } from '../pages/forecast-words';
import { citeCapture, finishAnswer, listNames } from './answer';
import { describeAge, type StoredServer, writeChecks } from './server-answer';
import { type ReviewFinding, type ReviewFindings } from '../review/review-findings';
import type { ReviewPage, ReviewRow } from '../review/review-page';
import { addToList } from '../lists';

/** Different reasons for leaving databases out that are listed. */
const MOST_REASONS = 30;

export function describePlan(server: StoredServer, page: ReviewPage): string {
  const { why, note, forecast, shortTarget, order, findings, unseen, rows } = page;
  return finishAnswer([
    `# ${t('Plan for {0}', escapeText(server.label))}`,
    t(
      'Nothing was run. The script is not part of this answer: the user opens it with Review Script, reads it and runs it.',
    ),
    describeAge(server),
    ...citeCapture(server.capture),
    '',
    `**${escapeText(page.title)}**`,
    escapeLine(why.map(({ text }) => text).join('')),
    ...[note, shortTarget, order].flatMap((text) => (text === null || text === '' ? [] : [escapeLine(text)])),
    '',
    `## ${t('Waves')}`,
    ...(forecast === null
      ? [t('No forecast: too little measured, or nothing to switch.')]
      : [
          t(
            'Checkpoint task busy: now {0}. Goal: under {1}. Total writes are not in the forecast; they may rise.',
            formatPercent(forecast.now),
            formatPercent(forecast.bound),
          ),
        ]),
    ...writeWaves(rows, forecast),
    '',
    `## ${t('Left out')}`,
    ...listLeftOut(rows),
    ...writeChecks(listFindings(findings), unseen),
  ]);
}

function writeWaves(rows: readonly ReviewRow[], forecast: ReviewPage['forecast']): readonly string[] {
  const steps = rows.flatMap(({ wave, databaseId }) =>
    wave === null ? [] : [{ wave, database: { databaseId } }],
  );
  const names = new Map(rows.map(({ databaseId, name }) => [databaseId, name]));
  return listWaves(steps.sort((a, b) => a.wave - b.wave)).map(({ wave, databaseIds }) => {
    const after = forecast?.waves.find((one) => one.wave === wave);
    const named = listNames(databaseIds.map((id) => names.get(id) ?? ''));
    const what = t('Wave {0}, {1}: {2}.', wave, countDatabases(databaseIds.length), escapeText(named));
    return after === undefined
      ? `- ${what}`
      : `- ${what} ${t('Busy after this wave: {0}.', escapeText(formatRange(after)))}`;
  });
}

/** Databases that were chosen and are not in, by reason. */
function listLeftOut(rows: readonly ReviewRow[]): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const { state, reason, name } of rows) if (state === 'left out') addToList(byReason, reason, name);
  if (byReason.size === 0) return [t('None of the chosen databases.')];
  const listed = [...byReason]
    .slice(0, MOST_REASONS)
    .map(([reason, names]) => `- ${escapeText(listNames(names))}: ${escapeText(reason)}`);
  return byReason.size > MOST_REASONS ? [...listed, `- ${t('The review page lists more reasons.')}`] : listed;
}

/** What is merely good to know of single databases is counted: it would crowd out the rest. */
function listFindings({ listed }: ReviewFindings): readonly string[] {
  const isMinor = ({ severity, about }: ReviewFinding): boolean => severity === 'inform' && about !== null;
  const minor = listed.filter(isMinor).length;
  const told = listed
    .filter((one) => !isMinor(one))
    .map((one) => writeFinding(one.about ?? t('The server'), one));
  if (minor === 0) return told;
  const more = countOf(minor, t('{0} more is good to know'), t('{0} more are good to know'));
  return [...told, `- ${t('{0}, about single databases. Ask about one of them to read it.', more)}`];
}
