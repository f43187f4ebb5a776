import assert from 'node:assert/strict';
import { CaptureFolder } from '../../src/captures/capture-folder';
import { createChance } from '../core/errorlog/disturbed-log';
import { CrashingDisk } from './crashing-disk';
import { diskOf, makeKeptCapture } from './kept-captures';

const SECTION = 'write-work';
const folderOn = (disk: CrashingDisk): CaptureFolder =>
  new CaptureFolder('/captures', { ...diskOf(disk), pause: async () => undefined });

/**
 * Writes numbered versions of a capture and a section, until the power is lost.
 * @returns the last of each that was kept while there was power, and begun
 */
async function writeVersions(
  disk: CrashingDisk,
  first: number,
): Promise<readonly { kept: number; begun: number }[]> {
  const folder = folderOn(disk);
  const captures = { kept: first, begun: first };
  const sections = { kept: first, begun: first };
  try {
    for (let version = first + 1; version <= first + 3; version++) {
      captures.begun = version;
      await folder.keep(makeKeptCapture({ serverLabel: `version ${version}` }));
      if (disk.left > 0) captures.kept = sections.begun = version;
      await folder.keepSections('PROD', [{ name: SECTION, bytes: new Uint8Array(50).fill(version) }]);
      if (disk.left > 0) sections.kept = version;
    }
  } catch {
    assert.equal(disk.left, 0);
  }
  return [captures, sections];
}

/** The versions that are read, and every problem. */
async function readVersions(
  disk: CrashingDisk,
): Promise<{ readonly versions: readonly number[]; readonly problems: readonly string[] }> {
  const folder = folderOn(disk);
  const { captures, problems } = await folder.list();
  const { capture, problem } = await folder.recover('capture-1');
  const { sections, problems: others } = await folder.recoverSections('PROD');
  const bytes = sections[0]?.bytes;
  assert.ok(bytes === undefined || bytes.every((each) => each === bytes[0]), 'a torn section');
  return {
    versions: [Number(capture?.serverLabel.slice('version '.length) ?? 0), bytes?.[0] ?? 0],
    problems: [...problems, ...others]
      .map(({ message }) => message)
      .concat(captures.length > 0 && problem !== null ? [problem] : []),
  };
}

describe('Captures on a disk that loses power', () => {
  it('are after every loss the old ones or the new ones, whole, and never older than what was kept', async () => {
    const whole = new CrashingDisk(createChance(0));
    await writeVersions(whole, 0);
    assert.ok(whole.done > 20, `${whole.done} changes`);
    for (let seed = 1; seed <= 150; seed++) {
      let disk = new CrashingDisk(createChance(seed));
      let seen: readonly number[] = [0, 0];
      for (let loss = 0; loss < 3; loss++) {
        disk.left = (seed * 7 + loss * 11) % whole.done;
        const written = await writeVersions(disk, Math.max(...seen));
        disk = disk.restart();
        const { versions, problems } = await readVersions(disk);
        assert.deepEqual(problems, [], `seed ${seed}`);
        versions.forEach((version, at) => {
          const { kept, begun } = written[at] as { kept: number; begun: number };
          const least = kept === Math.max(...seen) ? (seen[at] as number) : kept;
          assert.ok(
            version >= least && version <= begun,
            `seed ${seed}: ${version} of ${kept} kept and ${begun} begun`,
          );
        });
        seen = versions;
      }
    }
  });
});
