import assert from 'node:assert/strict';
import type { ServerMonitor } from '../../src/monitor/server-monitor';
import { watch } from '../simulator/product/watched-server';
import type { Answer, ClientConnection } from './client';
import type { ClientsServer } from './clients-server';
import { changeOf, choiceOf, rollbackOf } from '../core/script/scripts-of';

/** The script that a user reviews and runs, run by somebody else's client: made by the product for this server. */
export function describeScript(
  split: (script: string) => readonly string[],
  subject: () => { readonly server: ClientsServer; readonly connection: ClientConnection },
): void {
  describe('runs the reviewed script', () => {
    let monitor: ServerMonitor;
    before(() => (monitor = watch(subject().server.simulator)));
    after(() => monitor?.dispose());

    const run = async (script: string): Promise<{ printed: string; errors: string }> => {
      const answers: Answer[] = [];
      for (const batch of split(script)) answers.push(await subject().connection.batch(batch));
      const join = (of: 'infos' | 'errors'): string => answers.flatMap((answer) => answer[of].map(({ text }) => text)).join('\n');
      return { printed: join('infos'), errors: join('errors') };
    };
    const automatic = (): readonly number[] =>
      (monitor.snapshot.facts?.databases ?? [])
        .filter((each) => each.databaseId > 4 && each.targetSeconds === 0)
        .map((each) => each.databaseId);

    const findId = (name: string): number => monitor.snapshot.facts?.databases.find((each) => each.name === name)?.databaseId ?? 0;

    it('which changes its databases, says so in messages, and its twin takes all of it back', async () => {
      await monitor.refresh();
      const before = automatic().length;
      const { plan, scripts } = await monitor.reviewSwitch(choiceOf(automatic().slice(0, 40)));
      const count = plan.steps.length;
      assert.ok(count >= 36, `${count} of 40`);
      assert.match((await run(changeOf(scripts))).printed, new RegExp(`${count} changed, 0 failed; `));
      await monitor.refresh();
      assert.equal(automatic().length, before - count);
      assert.match((await run(rollbackOf(scripts))).printed, new RegExp(`${count} changed, 0 failed; `));
      await monitor.refresh();
      assert.equal(automatic().length, before);
    });
    it('which refuses a server that it was not written for, as an error', async () => {
      await monitor.refresh();
      const { scripts } = await monitor.reviewSwitch(choiceOf([findId('a]b')], true));
      const changes = subject().server.simulator.server.ledger.settingChanges.length;
      const elsewhere = changeOf(scripts).replace("IN (N'LEGACY-SQL07'", "IN (N'OTHER'");
      assert.notEqual(elsewhere, changeOf(scripts));
      const { errors } = await run(elsewhere);
      assert.match(errors, /Stopped: this server is not named in the guard/);
      assert.equal(subject().server.simulator.server.ledger.settingChanges.length, changes);
    });
  });
}
