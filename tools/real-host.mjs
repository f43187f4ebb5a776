import { runMain } from './fail.js';
import { installPackages, requireInstalled, requireMachine } from './packages.js';
import { endWithEverything } from './processes/ending.js';

await runMain(async () => {
  requireMachine();
  endWithEverything();
  await installPackages();
  const { runRealHost } = requireInstalled('./checks/real-host.ts');
  return runRealHost(process.argv[2]);
});
