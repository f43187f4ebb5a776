import { accessSync, closeSync, constants, openSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Ledger } from './engine/ledger/ledger';

/** Characters written at a time: a ledger of millions of checkpoints is too long for one string. */
const PIECE = 1 << 20;

/**
 * Checks before the run, so that it does not fail at the end.
 * @throws Error with one sentence if no ledger can be written under that name
 */
export function requireLedgerPath(path: string): void {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing?.isDirectory() === true) throw new Error(`--ledger cannot be '${path}': it is a folder`);
  try {
    accessSync(existing === undefined ? dirname(path) : path, constants.W_OK);
  } catch {
    throw new Error(`--ledger cannot be '${path}': nothing can be written there`);
  }
}

/** Writes the ledger as plain JSON, with what each event session captured. */
export function writeLedger(path: string, ledger: Ledger): void {
  const file = openSync(path, 'w');
  try {
    for (const piece of joinPieces(listTexts(ledger))) writeSync(file, piece);
  } finally {
    closeSync(file);
  }
}

function* listTexts(ledger: Ledger): Generator<string> {
  const { settingChanges, commands, logins, sessionRuns } = ledger;
  const names = [...new Set(sessionRuns.map(({ sessionName }) => sessionName))];
  yield '{"checkpoints":';
  yield* listItems(ledger.listCheckpoints());
  yield ',\n"settingChanges":';
  yield* listItems(settingChanges);
  yield ',\n"commands":';
  yield* listItems(commands);
  yield ',\n"logins":';
  yield* listItems(logins);
  yield ',\n"sessionRuns":';
  yield* listItems(sessionRuns);
  yield ',\n"captured":{';
  for (const [i, name] of names.entries()) {
    yield `${i === 0 ? '\n' : ',\n'}${JSON.stringify(name)}:`;
    yield* listItems(ledger.listCapturedBy(name));
  }
  yield '}}\n';
}

function* listItems(items: Iterable<unknown>): Generator<string> {
  let before = '[\n';
  for (const item of items) {
    yield before + JSON.stringify(item);
    before = ',\n';
  }
  yield before === '[\n' ? '[]' : ']';
}

function* joinPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
