/**
 * Runs the benchmarks of evidence one after the other, each in a process of its own. They are bundled first, like what
 * we ship: with a loader for TypeScript, every function keeps its name and takes twice the time. Run: npm run bench [--
 * events|figures|felt|fleet]
 */
import { spawnSync } from 'node:child_process';
import { buildSync } from 'esbuild';

const BENCHES = ['events', 'figures', 'felt', 'fleet', 'questions'] as const;
const asked = process.argv.slice(2).filter((argument) => !/^\d+$/.test(argument));
const sizes = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));

for (const name of BENCHES.filter((bench) => asked.length === 0 || asked.includes(bench))) {
  console.log(`\n== ${name}`);
  const outfile = `dist/bench/${name}.js`;
  buildSync({
    entryPoints: [`bench/${name}.ts`],
    bundle: true,
    platform: 'node',
    target: 'node16',
    packages: 'external',
    loader: { '.sql': 'text' },
    outfile,
  });
  const { status } = spawnSync(process.execPath, [outfile, ...sizes], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
