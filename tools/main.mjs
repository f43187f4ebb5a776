/* What the scripts of package.json start: node tools/main.mjs <command> [arguments]. */
import { runMain } from './fail.js';
import { installPackages, requireInstalled, requireMachine } from './packages.js';
import { endWithEverything } from './processes/ending.js';

/** Each loads its file once the packages are there, and gives the exit code. */
const commands = {
  test: (args) => requireInstalled('./checks/run.ts').runChecks(args),
  'test:long': (args) => requireInstalled('./checks/run.ts').runParts(args),
  live: (args) => requireInstalled('./checks/live.ts').runLive(args),
  'real-host': ([name]) => requireInstalled('./checks/real-host.ts').runRealHost(name),
  start: () => requireInstalled('./start.ts').start(),
  /* With `platforms` also for each computer that can log in as yourself. */
  package: async ([more]) => {
    const { packageAll, packagePlatforms, vsixFile } = requireInstalled('./build/vsix.ts');
    await packageAll();
    if (more === 'platforms') await packagePlatforms();
    console.log(`\nPackaged ${vsixFile}`);
    return 0;
  },
  sbom: async () => {
    const { sbomFiles, writeSboms } = requireInstalled('./build/sbom.ts');
    await writeSboms();
    console.log(`Wrote ${sbomFiles.join(' and ')}`);
    return 0;
  },
};

await runMain(async () => {
  const [name, ...args] = process.argv.slice(2);
  requireMachine();
  endWithEverything();
  await installPackages();
  return commands[name](args);
});
