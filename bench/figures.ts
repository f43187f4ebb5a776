import { runParts } from './parts';
/**
 * Figures side by side: exact quantiles (goal 6) and refreshes (goal 11) of bench/README.md. All contenders in one
 * process. Run: npx tsx bench/figures.ts [quantiles] [refresh]
 */
import { benchQuantiles } from './quantiles';
import { benchRefresh } from './refresh';

const parts: Readonly<Record<string, () => void | Promise<void>>> = {
  quantiles: benchQuantiles,
  refresh: benchRefresh,
};

runParts(parts);
