/** Files that the user saves, without VS Code. */

export interface SavedFile {
  /** Proposed; the user may choose another. */
  readonly name: string;
  readonly kind: 'csv' | 'json' | 'parquet' | 'png' | 'svg';
  /** Of the dialog, and of the progress while it is written. */
  readonly title: string;
}

/** What goes on while a file is written. */
export interface Writing {
  readonly isCancelled: () => boolean;
  /** @param share of the work that is done, 0 to 1 */
  readonly tell: (share: number) => void;
}

export interface FileSaver {
  /** Asks where to, has the content made, with progress that can be cancelled, and offers to open the file where the editor can show it. @param write gives null where it was cancelled */
  save(file: SavedFile, write: (writing: Writing) => Promise<Uint8Array | null>): Promise<void>;
}
