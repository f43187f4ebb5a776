/** Scalar functions of the schema sys about availability groups. */
import type { SqlType } from '../../tds/handler';
import { callFunction } from '../coerce';
import { rule, text, type FunctionTable, type Invocation } from './rule';
import type { Bound } from '../bound';
import type { Value } from '../types';
import type { AvailabilityCommands } from '../../engine/interface/instance';

const bit: SqlType = { name: 'bit' };

function bindAsked(ask: (availability: AvailabilityCommands, database: string) => boolean | null, otherwise: boolean | null) {
  return (invocation: Invocation): Bound => {
    const { facts, duck } = invocation.binding;
    const evaluate = (database: Value = null): Value => {
      const { availability } = facts.instance;
      const answer = database === null || availability === undefined ? otherwise : ask(availability, String(database));
      return answer === null ? null : Number(answer);
    };
    return callFunction(duck, `${invocation.name}@${facts.key}`, [text(invocation, 0)], bit, evaluate);
  };
}

/** By `SYS.` and their name. Microsoft Learn, pages of the same names; published scripts read NULL of the first as "not in a group". */
export const availabilityFunctions: FunctionTable = {
  'SYS.FN_HADR_IS_PRIMARY_REPLICA': rule(
    1,
    1,
    bindAsked((availability, database) => availability.isPrimaryReplica(database), null),
    2014,
  ),
  'SYS.FN_HADR_BACKUP_IS_PREFERRED_REPLICA': rule(
    1,
    1,
    bindAsked((availability, database) => availability.isPreferredBackupReplica(database), true),
  ),
};
