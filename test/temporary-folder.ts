import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
after(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A new folder, which is gone after the last test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkpoint-health-'));
  made.push(folder);
  return folder;
}
