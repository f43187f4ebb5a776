import { runParts } from './parts';
/**
 * Figures side by side: exact quantiles (goal 6), the way to the webview (goal 10), refreshes (goal 11) of docs/facts.md, Performance. All contenders in one
 * process. Run: npx tsx bench/figures.ts [quantiles] [transport] [refresh]
 */
import { benchQuantiles } from './quantiles';
import { benchRefresh } from './refresh';
import { benchTransport } from './transport';

const parts: Readonly<Record<string, () => void | Promise<void>>> = {
  quantiles: benchQuantiles,
  transport: benchTransport,
  refresh: benchRefresh,
};

runParts(parts);
