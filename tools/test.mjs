import { runMain } from './fail.mjs';
import { installPackages, requireInstalled, requireNode20 } from './packages.mjs';

await runMain(async () => {
  requireNode20();
  await installPackages();
  const { runChecks } = requireInstalled('./checks/run.ts');
  return runChecks(process.argv.slice(2));
});
