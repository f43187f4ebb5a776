import { CONSTANT, view, type CatalogObject } from './object';
import { listSentences, type Sentence } from '../error-log/messages';
import { int, need, nvarchar, smallint, type Field, unmodelled } from './relation';

/** Microsoft Learn, "sys.messages". */
const MESSAGE_FIELDS: readonly Field<Sentence>[] = [
  need('message_id', int, (m) => m.id),
  need('language_id', smallint, (m) => m.languageId),
  need('text', nvarchar(2048), (m) => m.text),
  ...unmodelled('severity is_event_logged'),
];

export const MESSAGE_OBJECTS: readonly CatalogObject[] = [
  view('sys.messages', MESSAGE_FIELDS, ({ scenario: { server } }) => listSentences(server), CONSTANT),
];
