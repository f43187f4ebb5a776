import { runMain } from './fail.js';
import { installPackages, requireInstalled, requireMachine } from './packages.js';
import { endWithEverything } from './processes/ending.js';

await runMain(async () => {
  requireMachine();
  endWithEverything();
  await installPackages();
  const { packageAll, vsixFile } = requireInstalled('./build/vsix.ts');
  await packageAll();
  console.log(`\nPackaged ${vsixFile}`);
  return 0;
});
