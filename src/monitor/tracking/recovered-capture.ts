import {
  type CaptureRecord,
  type KeptRecord,
  type KeptSection,
  restoreRecord,
} from '../../core/capture/capture-record';
import type { Facts } from '../../core/advice/facts';
import { type Capture, restoreCapture } from '../../core/capture/capture';
import { createCatalog } from '../../core/capture/catalog';
import { findUnaccountedRows } from '../../core/capture/ledger';
import { t } from '../../core/language';
import type { CaptureState } from '../../core/capture/capture-state';
import type { SessionSnapshot } from '../../core/session/event-session';
import type { UnverifiedCapture } from '../../core/capture/tracking-status';
import { prepareColumns } from '../../core/capture/checkpoint-store';
import { canGoOn } from '../../core/session/session-snapshots';
import { ROWS_A_STEP, type Steps } from '../../core/steps';
import { describeError } from '../queries/failure';
import { listKnown, listThere } from '../facts/captured-databases';
import { takeShortSteps } from '../queries/slices';
import type { MonitorSurroundings } from '../queries/surroundings';

const NOTHING_FOUND = {
  /** The kept record is what is needed to go on with the capture. */
  record: null as CaptureRecord | null,
  kept: null as KeptRecord | null,
  /** Its server has not said yet whether the capture is its own, and whether its session runs. */
  isUnverified: false,
  /** One sentence about a kept capture that was set aside, until the user starts something. */
  setAside: null as string | null,
  /** Whether we already looked for the last capture of any server: looking again would find nothing more. */
  isAhead: false,
};

/**
 * The capture that was kept before the editor closed. It is shown until a newer one is followed, and only for the
 * server that it was read from.
 */
export class RecoveredCapture {
  found: Readonly<typeof NOTHING_FOUND> = NOTHING_FOUND;

  /** @param report is told in one sentence what cannot be read */
  constructor(
    private readonly surroundings: Pick<MonitorSurroundings, 'captures' | 'schedule'>,
    private readonly report: (problem: string) => void,
  ) {}

  /** Keeps it again with what belongs to it now. A failure is reported. */
  async keepAgain(sections: readonly KeptSection[]): Promise<void> {
    const { kept } = this.found;
    if (kept !== null)
      await this.surroundings.captures
        .keep({ ...kept, sections })
        .catch((error: unknown) => this.report(describeError(error)));
  }

  /** Gives what was kept with it, and lets go of it: megabytes that are needed once. */
  takeSections(): readonly KeptSection[] {
    const { kept } = this.found;
    const sections = kept?.sections ?? [];
    if (kept !== null) this.note({ kept: { ...kept, sections: [] } });
    return sections;
  }

  /** The databases that its session recorded; null: all, or not known. */
  get databaseIds(): readonly number[] | null {
    return this.found.kept?.trackedDatabaseIds ?? null;
  }

  /**
   * Databases of which it says something: the tracked ones that were there already; if its file does not say which were
   * tracked, those in it; null: all.
   */
  listMeasured(facts: Facts): ReadonlySet<number> | null {
    const [{ kept, record }, { databaseIds }] = [this.found, this];
    if (record === null) return databaseIds === null ? null : new Set(databaseIds);
    if (kept?.trackedDatabaseIds === undefined) return listKnown(record, facts);
    return new Set(
      [...listThere(record, facts)].filter((id) => databaseIds === null || databaseIds.includes(id)),
    );
  }

  canGoOn(snapshot: SessionSnapshot): boolean {
    const { kept } = this.found;
    return kept?.following != null && kept.state !== null && canGoOn(kept.following.snapshot, snapshot);
  }

  /** The capture, so that it goes on, with the databases of these facts; null: it cannot, and was set aside. */
  async restore(state: CaptureState, facts: Facts): Promise<Capture | null> {
    try {
      return await restoreKept(state, facts, this.surroundings);
    } catch (error) {
      const { id } = state.plain;
      this.noteSetAside(
        (await this.surroundings.captures.setAside?.(id, describeError(error))) ?? describeError(error),
      );
      return null;
    }
  }

  /** What there is to tell of a capture that was set aside, and the message. */
  tellWith(message: string | null): string | null {
    const told = [this.found.setAside, message].filter((sentence) => sentence !== null);
    return told.length === 0 ? null : told.join(' ');
  }

  forget(): void {
    this.found = { ...NOTHING_FOUND, setAside: this.found.setAside };
  }

  /** Looks once for the last capture of any server, before this server has answered. */
  async recoverAhead(): Promise<void> {
    if (this.found.isAhead || this.found.record !== null) return;
    await this.recover(null);
    this.note({ isAhead: true, isUnverified: this.found.record !== null });
  }

  /**
   * The server has named itself. If the capture is not of this server, the last one that is takes its place: only then
   * is the disk read again.
   */
  async recoverOf({ server: { serverName } }: Facts): Promise<void> {
    const { kept, isAhead, record } = this.found;
    const isNone = isAhead && record === null;
    // A connection can lead to another server than before: a capture of one says nothing about the other.
    const isOther = kept === null || (kept.serverName !== null && kept.serverName !== serverName);
    if (!isNone && isOther) await this.recover(serverName);
  }

  /** What is shown before the server has named itself. */
  get unverified(): UnverifiedCapture | null {
    const toUtcMs = this.found.record?.observation?.endUtcMs;
    if (!this.found.isUnverified || toUtcMs === undefined) return null;
    return { toUtcMs, utcOffsetMinutes: this.utcOffsetMinutes };
  }

  /** Of the server's clock at the last look at its session; null: not known. */
  get utcOffsetMinutes(): number | null {
    return this.found.kept?.following?.snapshot.utcOffsetMinutes ?? null;
  }

  private noteSetAside(sentence: string): void {
    this.report(sentence);
    this.note({ setAside: sentence });
  }

  note(news: Partial<typeof NOTHING_FOUND>): void {
    this.found = { ...this.found, ...news };
  }

  private async recover(serverName: string | null): Promise<void> {
    this.forget();
    try {
      const kept = await this.surroundings.captures.recover(serverName, (sentence) =>
        this.noteSetAside(sentence),
      );
      this.note({ kept, record: kept === null ? null : restoreRecord(kept) });
    } catch (error) {
      this.forget();
      this.report(describeError(error));
    }
  }
}

/**
 * Restores the kept capture so that it can go on, with the databases of these facts. A long capture takes several
 * steps.
 * @throws Error if it cannot
 */
async function restoreKept(
  state: CaptureState,
  facts: Facts,
  surroundings: Pick<MonitorSurroundings, 'schedule'>,
): Promise<Capture> {
  const isShort = state.columns.rows + state.unpaired.rows + state.pending.rows <= ROWS_A_STEP;
  const columns = await takeShortSteps(prepareColumns(state.columns), isShort, surroundings);
  const capture = await takeShortSteps(restoreCapture({ ...state, columns }), isShort, surroundings);
  await takeShortSteps(nameDatabases(capture, facts), isShort, surroundings);
  if (findUnaccountedRows(capture.ledger()) !== 0) throw new Error(t('its row counts do not add up'));
  return capture;
}

/**
 * Tells a capture which database each database_id belongs to, by the server's catalog in these facts. The names are
 * complete only after the last step.
 */
export function nameDatabases(capture: Capture, { databases, server }: Facts): Steps<void> {
  return capture.nameDatabases(createCatalog(databases, server.nowUtcMs, server.utcOffsetMinutes));
}
