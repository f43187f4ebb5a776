import type { BrowserContext } from 'playwright-core';

/** Lets the web VS Code keep secrets in its page's storage. Without a server that hands out half of the key it forgets them with each reload. */
export async function keepSecrets(context: BrowserContext): Promise<void> {
  await context.route('**/mint-key', (route) => route.fulfill({ body: Buffer.alloc(32, 7) }));
}
