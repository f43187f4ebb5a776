/**
 * A cursor over the tokens of a batch, with the methods that a recursive-descent parser needs and SQL Server's syntax
 * errors.
 */
import type { SqlError } from '../tds/handler';
import { syntaxError } from './errors';
import { lexBatch, type Token } from './lexer';
import { wordSet } from './word-set';

export class TokenReader {
  private at = 0;
  private readonly tokens: readonly Token[];

  /** The setting after the whole text. */
  readonly quotedIdentifier: boolean;

  constructor(
    readonly text: string,
    quotedIdentifier = true,
  ) {
    ({ tokens: this.tokens, quotedIdentifier: this.quotedIdentifier } = lexBatch(text, quotedIdentifier));
  }

  get position(): number {
    return this.at;
  }

  set position(value: number) {
    this.at = value;
  }

  get line(): number {
    return this.peek().line;
  }

  peek(ahead = 0): Token {
    return (this.tokens[this.at + ahead] ?? this.tokens[this.tokens.length - 1]) as Token;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.at++;
    return token;
  }

  /** Text of the batch from one token's start to the end of the last token read. */
  sourceFrom(start: number): string {
    const last = this.tokens[this.at - 1];
    return this.text.slice(start, last?.end ?? start);
  }

  /** Whether the next tokens are these words or symbols (upper case). */
  is(...words: readonly string[]): boolean {
    return words.every((word, index) => this.peek(index).upper === word);
  }

  isOneOf(...words: readonly string[]): boolean {
    const { upper } = this.peek();
    return upper !== '' && words.includes(upper);
  }

  /** Reads these words if they are next. */
  take(...words: readonly string[]): boolean {
    if (!this.is(...words)) return false;
    this.at += words.length;
    return true;
  }

  expect(...words: readonly string[]): void {
    for (const word of words) if (!this.take(word)) throw this.unexpected();
  }

  expectOneOf(...words: readonly string[]): string {
    if (!this.isOneOf(...words)) throw this.unexpected();
    return this.next().upper;
  }

  isName(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'quoted' || (token.kind === 'word' && !reservedKeywords.has(token.upper));
  }

  isKeyword(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'word' && reservedKeywords.has(token.upper);
  }

  name(): string {
    if (!this.isName()) throw this.unexpected();
    return this.next().text;
  }

  /** `a.b..c`: an omitted middle part is the empty string. */
  qualifiedName(): readonly string[] {
    const parts = [this.name()];
    while (this.take('.')) {
      while (this.take('.')) parts.push('');
      parts.push(this.namePart());
    }
    return parts;
  }

  /** After a dot too, SQL Server's grammar needs a word that is not reserved. */
  private namePart(): string {
    return this.name();
  }

  variable(): string {
    if (this.peek().kind !== 'variable') throw this.unexpected();
    return this.next().text;
  }

  /** One or more items separated by commas. */
  commaList<T>(item: () => T): readonly T[] {
    const items = [item()];
    while (this.take(',')) items.push(item());
    return items;
  }

  parenthesised<T>(inner: () => T): T {
    this.expect('(');
    const value = inner();
    this.expect(')');
    return value;
  }

  unexpected(token: Token = this.peek()): SqlError {
    if (token.kind === 'end') {
      const last = this.tokens[this.tokens.length - 2];
      return syntaxError(
        last?.text ?? '',
        last?.line ?? 1,
        last?.kind === 'word' && reservedKeywords.has(last.upper),
      );
    }
    return syntaxError(token.text, token.line, token.kind === 'word' && reservedKeywords.has(token.upper));
  }
}

/**
 * T-SQL's reserved keywords (Microsoft documentation, "Reserved keywords (Transact-SQL)"): as names they need brackets.
 * PRECISION is on that list, but not here: published scripts use the column of sys.columns without brackets, and run.
 */
const reservedKeywords =
  wordSet(`ADD ALL ALTER AND ANY AS ASC AUTHORIZATION BACKUP BEGIN BETWEEN BREAK BROWSE BULK BY CASCADE CASE CHECK CHECKPOINT CLOSE CLUSTERED
COALESCE COLLATE COLUMN COMMIT COMPUTE CONSTRAINT CONTAINS CONTAINSTABLE CONTINUE CONVERT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME
CURRENT_TIMESTAMP CURRENT_USER CURSOR DATABASE DBCC DEALLOCATE DECLARE DEFAULT DELETE DENY DESC DISK DISTINCT DISTRIBUTED DOUBLE DROP DUMP ELSE
END ERRLVL ESCAPE EXCEPT EXEC EXECUTE EXISTS EXIT EXTERNAL FETCH FILE FILLFACTOR FOR FOREIGN FREETEXT FREETEXTTABLE FROM FULL FUNCTION GOTO
GRANT GROUP HAVING HOLDLOCK IDENTITY IDENTITY_INSERT IDENTITYCOL IF IN INDEX INNER INSERT INTERSECT INTO IS JOIN KEY KILL LEFT LIKE LINENO LOAD
MERGE NATIONAL NOCHECK NONCLUSTERED NOT NULL NULLIF OF OFF OFFSETS ON OPEN OPENDATASOURCE OPENQUERY OPENROWSET OPENXML OPTION OR ORDER OUTER OVER
PERCENT PIVOT PLAN PRIMARY PRINT PROC PROCEDURE PUBLIC RAISERROR READ READTEXT RECONFIGURE REFERENCES REPLICATION RESTORE RESTRICT RETURN
REVERT REVOKE RIGHT ROLLBACK ROWCOUNT ROWGUIDCOL RULE SAVE SCHEMA SECURITYAUDIT SELECT SEMANTICKEYPHRASETABLE SESSION_USER SET SETUSER SHUTDOWN SOME
STATISTICS SYSTEM_USER TABLE TABLESAMPLE TEXTSIZE THEN TO TOP TRAN TRANSACTION TRIGGER TRUNCATE TRY_CONVERT TSEQUAL UNION UNIQUE UNPIVOT UPDATE
UPDATETEXT USE USER VALUES VARYING VIEW WAITFOR WHEN WHERE WHILE WITH WITHIN WRITETEXT`);
