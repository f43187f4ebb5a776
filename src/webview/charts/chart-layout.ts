/** From a table and how it is drawn to an SVG of a width; nothing of a screen is needed. */
import type { EvidenceChart } from '../../core/pages/evidence-chart';
import { layoutBandsChart } from './bands-chart';
import { layoutPointChart } from './point-chart';
import { layoutRowChart, type ChartInput } from './row-chart';
import type { SvgNode } from './svg-tree';

export function layoutChart({ chart, ...input }: ChartInput<EvidenceChart>): SvgNode {
  if (chart.kind === 'bands') return layoutBandsChart({ chart, ...input });
  return chart.kind === 'points' ? layoutPointChart({ chart, ...input }) : layoutRowChart({ chart, ...input });
}
