/** Whether something is being read or computed for the pages of evidence now. */
export interface EvidenceState {
  /** What takes long, as a few words; null: nothing, or it takes no time to speak of. */
  readonly reading: { readonly text: string } | null;
  /** One sentence where the reader cancelled it, with when it goes on; null otherwise. */
  readonly stopped: string | null;
}

export const NOTHING_READING: EvidenceState = { reading: null, stopped: null };
