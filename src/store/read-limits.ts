/** Rows that a read answers when nothing else is asked for. */
export const ENTRIES_LIMIT = 200;
export const CALLS_LIMIT = 100;
/** Finished items that a forecast looks at. */
export const HISTORY_LIMIT = 50;
