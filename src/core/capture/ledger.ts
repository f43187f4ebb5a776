/** How every row read is accounted for. */
export interface Ledger {
  readonly rowsRead: number;
  readonly checkpoints: number;
  readonly unpaired: number;
  readonly duplicates: number;
  readonly malformed: number;
  /** Events of other names, in all and each by its name. */
  readonly other: number;
  readonly otherByName: ReadonlyMap<string, number>;
  /** Begins whose end may still come. */
  readonly open: number;
  /** Events that wait until no earlier one can arrive any more, or until the next event of their task decides about them. */
  readonly held: number;
}

/**
 * Rows read less rows accounted for: 0, always. Rows read = 2 x checkpoints + unpaired + duplicates + malformed + other, and while the
 * capture is not settled, + open + held.
 */
export function findUnaccountedRows(ledger: Ledger): number {
  const settled = 2 * ledger.checkpoints + ledger.unpaired + ledger.duplicates + ledger.malformed + ledger.other;
  return ledger.rowsRead - settled - ledger.open - ledger.held;
}
