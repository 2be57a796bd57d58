/** The model in one import. */
export * from './action.ts';
export * from './contract.ts';
export * from './item.ts';
export * from './outcome.ts';
export * from './request.ts';
