/** What was found of a server that matters before a change: what has to be looked at first as rows of its own, the rest behind one row. */
import { countOf } from '../../core/format';
import type { Finding } from '../../core/advice/finding';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import { createRow, type Row, type RowIcon } from './row';

const icons: Readonly<Record<Finding['severity'], RowIcon>> = {
  blocks: { name: 'error', colour: 'list.errorForeground' },
  'look first': { name: 'warning', colour: 'list.warningForeground' },
  inform: { name: 'info' },
};

/** model has a row of its own. */
const SHOWN_ELSEWHERE = 'model-automatic';

export function listFindingRows(snapshot: ServerSnapshot): readonly Row[] {
  const decisions = snapshot.preflight.server.filter(({ severity }) => severity !== 'inform');
  const rows = decisions.map((finding) => describeFinding(snapshot.id, finding));
  const notes = listNotes(snapshot);
  const { unseen } = snapshot.preflight;
  // As long as nobody asked for more than the pane shows, that it was not asked is no news.
  const isAsked = (snapshot.facts?.moreReadUtcMs ?? null) !== null;
  if (notes.length === 0 && (unseen.length === 0 || !isAsked)) return rows;
  const counts = [
    ...(notes.length === 0 ? [] : [countOf(notes.length, 'note')]),
    ...(unseen.length === 0 ? [] : [`${unseen.length} not known`]),
  ];
  const more = createRow({
    kind: 'findings',
    id: `${snapshot.id}/findings`,
    serverId: snapshot.id,
    label: 'Before a change',
    description: counts.join(' · '),
    tooltip: ['What is good to know about this server before a target recovery time is changed, and what could not be asked.'],
    icon: { name: 'checklist' },
    expand: 'closed',
  });
  return [...rows, more];
}

/** What is under the row of the rest. */
export function listNoteRows(snapshot: ServerSnapshot): readonly Row[] {
  const notes = listNotes(snapshot).map((finding) => describeFinding(snapshot.id, finding));
  const unseen = snapshot.preflight.unseen.map((sentence, at) =>
    createRow({ kind: 'finding', id: `${snapshot.id}/unseen/${at}`, serverId: snapshot.id, label: sentence, icon: { name: 'eye-closed' } }),
  );
  return [...notes, ...unseen];
}

function listNotes({ preflight }: ServerSnapshot): readonly Finding[] {
  return preflight.server.filter(({ severity, rule }) => severity === 'inform' && rule !== SHOWN_ELSEWHERE);
}

function describeFinding(serverId: string, finding: Finding): Row {
  const lead = finding.severity === 'inform' ? '' : finding.severity === 'blocks' ? 'Not now: ' : 'Look first: ';
  return createRow({
    kind: 'finding',
    id: `${serverId}/finding/${finding.rule}`,
    serverId,
    label: `${lead}${finding.sentence}`,
    tooltip: listFindingLines(finding),
    icon: icons[finding.severity],
    spoken: `${lead}${finding.sentence}`,
  });
}

/** The sentence, what to do, and where it comes from. */
function listFindingLines({ sentence, remedy, sources }: Finding): readonly string[] {
  const cited = sources.map(({ title, url }) => (url === null ? title : `${title} (${url})`)).join('; ');
  return [sentence, ...(remedy === null ? [] : [remedy]), `Source: ${cited}`];
}
