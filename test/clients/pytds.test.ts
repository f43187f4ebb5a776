import { join } from 'node:path';
import { installPython } from '../../tools/clients/python-client';
import { describeConversation } from './conversation';
import { DriverClient } from './driver';
import type { Ability } from './client';

const abilities: readonly Ability[] = ['cancel', 'echo', 'transaction', 'drop'];

describeConversation('pytds', {
  start: async () => new DriverClient(await installPython('pytds'), [join(__dirname, 'pytds_driver.py')], abilities),
  verifies: true,
  abilities,
});
