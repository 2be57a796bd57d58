/** Any git directory that may be read with `runGit`: the engine's own, or the user's common directory. */
export interface GitRepository {
  readonly gitDir: string;
}

/** The engine's own bare repository of one item (D32). Executors never see its refs, only its objects. */
export interface EngineRepository extends GitRepository {
  readonly itemId: string;
  /** Full ref of the item branch, `refs/heads/workcenter/<itemId>`. */
  readonly branch: string;
  /** The commit the item started from. */
  readonly base: string;
}
