import type { Places } from '../problems/problem.ts';
import type { PlanDocument } from './schema.ts';

/** A plan file that was read and obeys the schema. */
export interface PlanFile {
  readonly fileName: string;
  readonly text: string;
  readonly document: PlanDocument;
  /** Where everything stands, for problems found later. */
  readonly places: Places;
}
