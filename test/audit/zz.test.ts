import { recordServer } from './recording';
it('x', async function () {
  this.timeout(600_000);
  await recordServer('/tmp/a611', Number(process.env['SEED'] ?? 502), 99);
});
