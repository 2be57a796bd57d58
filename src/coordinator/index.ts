/** The front door of the Coordinator: everything about a turn that is pure. The engine carries it out. */
export { type Compiled, compileDecision, type Decided } from './decision/compile-decision.ts';
export { ACTION_DEFAULTS, type ActionDefaults, type CompileInput } from './decision/compile-input.ts';
export { complaintsOf, type Problem, sayComplaints } from './decision/complaints.ts';
export { DECIDE_TOOL } from './decision/decide-tool.ts';
export { type Read, readDecision } from './decision/read-decision.ts';
export type { WrittenDecision } from './decision/schema.ts';
export { type Forecast, forecastOf, type PastItem, type Range } from './forecast.ts';
export { type FirstRequest, firstRequest, type RequestInput, repairRequest, type TurnFile } from './request.ts';
export type { Abilities, ConversationEntry, SnapshotInput } from './snapshot/input.ts';
export { messagesOf } from './snapshot/now-part.ts';
export { type Snapshot, snapshotOf } from './snapshot.ts';
export { turnAnswer } from './turn-answer.ts';
