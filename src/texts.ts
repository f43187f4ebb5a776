/**
 * The files of sql/ as strings. Each is branded by what it may do: the folder it comes from decides.
 * Templates still hold their SSMS parameters; core/script fills them.
 */
import availabilityRoles from '../sql/read/availability-roles.sql';
import backups from '../sql/read/backups.sql';
import checkpointEvents from '../sql/read/checkpoint-events.sql';
import databaseCounters from '../sql/read/database-counters.sql';
import databaseFacts from '../sql/read/database-facts.sql';
import eventSession from '../sql/read/event-session.sql';
import fileIo from '../sql/read/file-io.sql';
import instanceWork from '../sql/read/instance-work.sql';
import serverClock from '../sql/read/server-clock.sql';
import serverFacts from '../sql/read/server-facts.sql';
import serverState from '../sql/read/server-state.sql';
import sessionCreate from '../sql/change/session-create.sql';
import sessionDrop from '../sql/change/session-drop.sql';
import sessionStart from '../sql/change/session-start.sql';
import sessionStop from '../sql/change/session-stop.sql';
import setTargetRecoveryTime from '../sql/change/set-target-recovery-time.sql';
import type { OwnSessionTemplate, ReadTemplate, ReviewTemplate } from './core/script/text';

export const readTemplates = {
  availabilityRoles: availabilityRoles as ReadTemplate,
  backups: backups as ReadTemplate,
  checkpointEvents: checkpointEvents as ReadTemplate,
  databaseCounters: databaseCounters as ReadTemplate,
  databaseFacts: databaseFacts as ReadTemplate,
  eventSession: eventSession as ReadTemplate,
  fileIo: fileIo as ReadTemplate,
  instanceWork: instanceWork as ReadTemplate,
  serverClock: serverClock as ReadTemplate,
  serverFacts: serverFacts as ReadTemplate,
  serverState: serverState as ReadTemplate,
};

export const ownSessionTemplates = {
  create: sessionCreate as OwnSessionTemplate,
  drop: sessionDrop as OwnSessionTemplate,
  start: sessionStart as OwnSessionTemplate,
  stop: sessionStop as OwnSessionTemplate,
};

export const reviewTemplates = {
  setTargetRecoveryTime: setTargetRecoveryTime as ReviewTemplate,
};
