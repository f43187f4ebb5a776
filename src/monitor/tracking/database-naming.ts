import type { Facts } from '../../core/advice/facts';
import type { Capture } from '../../core/capture/capture';
import { createCatalog } from '../../core/capture/catalog';
import type { Steps } from '../../core/steps';

/** Tells a capture whose each database_id is, as the server's catalog says in these facts; of its checkpoints that is true with the last step. */
export function nameDatabases(capture: Capture, { databases, server }: Facts): Steps<void> {
  return capture.nameDatabasesInSteps(createCatalog(databases, server.nowUtcMs, server.utcOffsetMinutes));
}
