import { runMain } from './fail.mjs';
import { installPackages, requireInstalled, requireNode20 } from './packages.mjs';

await runMain(async () => {
  requireNode20();
  await installPackages();
  const { packageAll, vsixFile } = requireInstalled('./build/vsix.ts');
  await packageAll();
  console.log(`\nPackaged ${vsixFile}`);
  return 0;
});
