/**
 * What a real Azure Data Studio 1.47 handed over (VS Code 1.79.2, Node 16.17.1, a stand-in for its provider MSSQL). `serverCapabilities` is cut, and
 * `database-row-argument` was put together from the observed keys. The password `pw` is the host's doing: it must not be found anywhere afterwards.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type RecordingName =
  | 'server-row-argument'
  | 'database-row-argument'
  | 'dashboard-toolbar-argument'
  | 'connection-events'
  | 'get-connections'
  | 'run-query-and-return'
  | 'query-document'
  | 'host';

/** A recording, read again each time: whoever gets it may change it. */
export function readRecording<T = unknown>(name: RecordingName): T {
  return JSON.parse(readFileSync(join(__dirname, 'recordings', `${name}.json`), 'utf8')) as T;
}

/** The id and the password of the connection that was recorded. */
export const recordedId = '11111111-2222-3333-4444-555555555555';
export const recordedPassword = 'pw';
