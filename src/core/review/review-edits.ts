/** What a click or key does to a draft: it always makes a new draft with a higher revision. */
import type { ReviewDraft, ReviewField } from './review-draft';
import type { ReviewRow } from './review-page';

/** Puts one database in, as named by the reader, or takes it out. */
export function tickDatabase(draft: ReviewDraft, databaseId: number, isIn: boolean): ReviewDraft {
  if (!isIn) return takeOut(draft, new Set([databaseId]));
  return change(draft, {
    databaseIds: include(draft.databaseIds, [databaseId]),
    namedIds: include(draft.namedIds, [databaseId]),
  });
}

/**
 * Puts all of these rows in, or takes them out. That names no single database, so a value above 0 stays, and the page
 * says why.
 */
export function tickRows(draft: ReviewDraft, rows: readonly ReviewRow[], isIn: boolean): ReviewDraft {
  const ids = rows.filter((row) => row.canBeIn).map(({ databaseId }) => databaseId);
  return isIn
    ? change(draft, { databaseIds: include(draft.databaseIds, ids) })
    : takeOut(draft, new Set(ids));
}

export function moveDatabase(draft: ReviewDraft, databaseId: number, wave: number): ReviewDraft {
  const others = draft.waveOf.filter(([id]) => id !== databaseId);
  return change(draft, { waveOf: [...others, [databaseId, wave]] });
}

export function changeText(draft: ReviewDraft, field: ReviewField, text: string): ReviewDraft {
  return change(draft, { texts: { ...draft.texts, [field]: text } });
}

export function changeBetween(draft: ReviewDraft, between: ReviewDraft['between']): ReviewDraft {
  return change(draft, { between });
}

/**
 * Whether a row's box is ticked. If the row is not of this draft yet, the box shows what the answer will be if nothing
 * stands against it.
 * @param plannedRevision revision of the draft that the row is of
 */
export function isTicked(row: ReviewRow, draft: DraftSets, plannedRevision: number): boolean {
  if (plannedRevision === draft.revision) return row.state === 'in';
  if (!row.canBeIn || !draft.chosen.has(row.databaseId)) return false;
  return row.state !== 'left out' || draft.named.has(row.databaseId);
}

/** A draft's lists as sets, for lookups from thousands of rows. */
export interface DraftSets {
  readonly revision: number;
  readonly chosen: ReadonlySet<number>;
  readonly named: ReadonlySet<number>;
  readonly waveOf: ReadonlyMap<number, number>;
}

export function indexDraft({ revision, databaseIds, namedIds, waveOf }: ReviewDraft): DraftSets {
  return { revision, chosen: new Set(databaseIds), named: new Set(namedIds), waveOf: new Map(waveOf) };
}

function takeOut(draft: ReviewDraft, ids: ReadonlySet<number>): ReviewDraft {
  return change(draft, {
    databaseIds: draft.databaseIds.filter((id) => !ids.has(id)),
    namedIds: draft.namedIds.filter((id) => !ids.has(id)),
    waveOf: draft.waveOf.filter(([id]) => !ids.has(id)),
  });
}

function include(ids: readonly number[], more: readonly number[]): readonly number[] {
  return [...new Set([...ids, ...more])];
}

function change(draft: ReviewDraft, part: Partial<ReviewDraft>): ReviewDraft {
  return { ...draft, ...part, revision: draft.revision + 1 };
}
