/** The model in one import. */
export * from './action.ts';
export * from './contract.ts';
export * from './conversation.ts';
export * from './coordinator.ts';
export * from './item.ts';
export * from './model-call.ts';
export * from './outcome.ts';
export * from './request.ts';
