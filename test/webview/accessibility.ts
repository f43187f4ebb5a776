/** What axe finds wrong with an opened page: https://github.com/dequelabs/axe-core. */
import axe from 'axe-core';
import type { OpenedPage } from './page';

/** Each fault as `rule: element`, the rules of WCAG 2.2 AA and axe's best practices. Empty: nothing was found. */
export async function findAccessibilityFaults({ page }: OpenedPage): Promise<readonly string[]> {
  // Evaluated rather than loaded: the page's policy lets no script in but its own.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
  });
}
