import { join } from 'node:path';
import { installJdbc } from '../../tools/clients/java-client';
import type { Ability } from './client';
import { describeConversation } from './conversation';
import { DriverClient } from './driver';

const abilities: readonly Ability[] = ['cancel', 'limited', 'echo', 'prepared', 'transaction', 'drop'];

describeConversation("Microsoft's JDBC driver", {
  start: async () => new DriverClient('java', ['-cp', await installJdbc(), join(__dirname, 'JdbcDriver.java')], abilities),
  verifies: true,
  abilities,
});
