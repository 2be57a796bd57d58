/** Everything that follows from an item's state, in one import. */
export * from './budget.ts';
export * from './decision.ts';
export * from './due.ts';
export * from './goal.ts';
export * from './graph.ts';
export * from './result.ts';
export * from './sentence.ts';
export * from './status.ts';
