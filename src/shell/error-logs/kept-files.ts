import { type FileSystem, makeFolder, writeWholeFile } from '../../captures/capture-file';
import type { KeptFiles } from './kept-error-logs';

/** What is needed of a file system; `node:fs/promises` has it. */
export interface KeptFilesDisk extends Omit<FileSystem, 'open'> {
  stat(path: string): Promise<{ readonly mtimeMs: number }>;
  utimes(path: string, accessed: Date, modified: Date): Promise<void>;
}

/** Files of a folder that is ours, made when it is first needed. */
export function createKeptFiles(folder: string, disk: KeptFilesDisk): KeptFiles {
  const place = (name: string): string => `${folder}/${name}`;
  return {
    read: (name) => disk.readFile(place(name)),
    write: async (name, bytes) => {
      await makeFolder(disk, folder);
      await writeWholeFile(disk, place(name), bytes);
    },
    use: (name) => disk.utimes(place(name), new Date(), new Date()),
    list: async () => {
      const names = await disk.readdir(folder).catch((error: { readonly code?: unknown }) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      return Promise.all(names.map(async (name) => ({ name, usedUtcMs: (await disk.stat(place(name))).mtimeMs })));
    },
    remove: (name) => disk.unlink(place(name)),
  };
}
