/** The core's front door: what the other layers may use. */
export * from './command.ts';
export { holdDirectoryOf, leaseResource } from './decide/claim.ts';
export { type Decided, decide, resources } from './decide/decide.ts';
export * from './derive/index.ts';
export * from './event.ts';
export { evolve, fold } from './evolve/evolve.ts';
export { canonical, specHash } from './identity.ts';
export * from './model/index.ts';
export * from './rejection.ts';
export * from './rules/contract-rules.ts';
export { planProblems } from './rules/plan-rules.ts';
