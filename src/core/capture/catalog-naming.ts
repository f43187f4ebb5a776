import { finishSteps, type Steps } from '../steps';
import type { Catalog } from './catalog';
import type { CheckpointStore } from './checkpoint-store';
import type { DatabaseIndex } from './database-index';
import { Handovers } from './handovers';
import type { Pairing } from '../pairing/pairing';
import type { ScanStore } from './scan-store';
import { SettledBatch } from './settled-batch';
import type { UnpairedStore } from '../pairing/unpaired';

/** What of a capture belongs to databases. */
interface NamedParts {
  readonly index: DatabaseIndex;
  readonly pairing: Pairing;
  readonly store: CheckpointStore;
  readonly scanStore: ScanStore;
  readonly unpairedStore: UnpairedStore;
  /** Rows given out earlier are no longer true. */
  readonly rewritten: () => void;
}

/** Takes what the server's catalog says into a capture: names, and whose checkpoints and scans are since a database_id was given again. */
export class CatalogNaming {
  private readonly batch = new SettledBatch();
  /** The catalog taken last, where that may not be done yet. */
  private last: Steps<void> | null = null;

  constructor(private readonly parts: NamedParts) {}

  /** Checkpoints and scans change in the last step. Of two catalogs the later one is taken when all is true for the earlier. */
  inSteps(catalog: Catalog): Steps<void> {
    this.finish();
    return (this.last = this.take(catalog));
  }

  /** Takes the steps that were not taken yet: whoever keeps the capture must not find names and rows of two catalogs. */
  finish(): void {
    if (this.last !== null) finishSteps(this.last);
  }

  private *take(catalog: Catalog): Steps<void> {
    const { batch } = this;
    const { index, pairing, store, scanStore, unpairedStore, rewritten } = this.parts;
    const moved = index.read(catalog);
    if (moved.size === 0) return;
    pairing.reassign(moved, (owner, atUtcMs) => index.ownerAt(index.idOf(owner), atUtcMs));
    const handovers = new Handovers(index.listHandovers(moved));
    const isRewritten = yield* store.rewrite(handovers, (database, beginUtcMs, endUtcMs) => {
      const databaseId = index.databases[database]?.databaseId ?? 0;
      batch.addUnpaired(false, databaseId, beginUtcMs, 'database replaced');
      batch.addUnpaired(true, databaseId, endUtcMs, 'database replaced');
    });
    scanStore.reassign(handovers);
    batch.appendTo(store, unpairedStore);
    if (isRewritten) rewritten();
  }
}
