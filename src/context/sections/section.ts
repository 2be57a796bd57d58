import type { Cuts } from '../cuts.ts';
import type { Draft } from '../draft.ts';
import type { MainlineInput } from '../mainline-input.ts';

/**
 * One part of the Mainline. Pure; its input has been prepared (`prepare.ts`), so every text in it is visible, redacted
 * and within its fixed bound. An empty draft is no section.
 */
export type Section = (input: MainlineInput, cuts: Cuts) => Draft;
