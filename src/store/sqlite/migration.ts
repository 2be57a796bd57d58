/** One step of the schema: forward only, one transaction, never edited after a release. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Whether an older program would damage or misread data under this schema. */
  readonly breaking: boolean;
  readonly sql: string;
}
