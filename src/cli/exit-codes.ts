/**
 * What a command's exit code says. Stable: scripts rely on them (README, "Exit codes").
 *
 * | Code | Name         | Meaning                                                       |
 * | ---- | ------------ | ------------------------------------------------------------- |
 * | 0    | ok           | done; for `run` and `watch`: the item is done                  |
 * | 1    | internal     | a defect of ours                                               |
 * | 2    | invalid      | wrong usage, a plan or a value that is not acceptable          |
 * | 3    | refused      | the engine said no: state, version or authority does not allow |
 * | 4    | not_found    | no such item, Action, request or file                          |
 * | 5    | needs_person | the item waits for a person                                    |
 * | 6    | cancelled    | the item was cancelled                                         |
 * | 7    | store        | the data directory or its database cannot be used              |
 * | 130  | interrupted  | ended by a signal                                              |
 */
export const EXIT = Object.freeze({
  ok: 0,
  internal: 1,
  invalid: 2,
  refused: 3,
  notFound: 4,
  needsPerson: 5,
  cancelled: 6,
  store: 7,
  interrupted: 130,
});

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
