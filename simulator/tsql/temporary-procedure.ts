import type { DeclaredParameter } from './parse-parameters';
import type { Statement } from './statements';

/** A procedure that a session made for itself: CREATE PROCEDURE #name. Permanent ones are refused. */
export interface TemporaryProcedure {
  readonly name: string;
  readonly parameters: readonly DeclaredParameter[];
  /** Lines count from the start of the batch that created it, as SQL Server numbers them. */
  readonly body: readonly Statement[];
}
