/**
 * Generated from the OpenAPI document by `npm run client`; edit the routes instead.
 * @generated
 */
export type Lane = 'needs_you' | 'active' | 'done' | 'draft';
/**
 * Proven and by what, else what is wrong, else whether a Run is at it.
 */
export type ProofMark = 'machine' | 'independent' | 'self' | 'failed' | 'stale' | 'weak' | 'working' | 'missing';
/**
 * A command that the engine itself runs to decide the criterion.
 */
export type NewCheck =
  | string
  | {
      run: string;
      cwd?: string;
      env?: {
        [k: string]: string;
      };
      timeoutSec?: number;
      expectExit?: number;
      expectOutput?: string;
      /**
       * @maxItems 100
       */
      protect?: string[];
      network?: 'none' | 'loopback' | 'all';
    };
/**
 * What must run before checks and Actions.
 */
export type NewSetup =
  | string
  | {
      run: string;
      /**
       * @maxItems 100
       */
      inputs?: string[];
      network?: 'none' | 'loopback' | 'all';
      timeoutSec?: number;
    };
/**
 * `stale`: a later write took its proof; `weak`: less proof than was asked for.
 */
export type Standing = 'passed' | 'failed' | 'stale' | 'weak' | 'unmet';
/**
 * Who showed it: the engine itself, an executor other than the writer, or the writer.
 */
export type ProofStrength = 'machine' | 'independent' | 'self';
/**
 * Whether it may be asked for now; when not, why.
 */
export type Can =
  | {
      allowed: true;
    }
  | {
      allowed: false;
      reason: string;
    };
export type Action = ActionLine & {
  contractVersion: number;
  brief: {
    objective: string;
    approach: string | null;
    expectedOutcome: string | null;
  };
  workspace: string;
  /**
   * `external`: it acts outside, and is never repeated by itself.
   */
  effects: 'none' | 'external';
  timeoutSec: number;
  rationale: string | null;
  /**
   * What was said to it since it was commissioned.
   */
  guidance: string[];
  /**
   * Not started before; milliseconds since 1970.
   */
  readyAt: number;
  result: ActionResult;
  merge: Merge;
  lastRun: {
    id: string;
    status: string;
    code: string | null;
    summary: string;
    error: string | null;
  } | null;
  failureCode: string | null;
  closeReason: string | null;
  usage: Usage;
};
export type ActionResult = {
  runId: string;
  summary: string;
  review: 'approved' | 'changes_requested' | null;
  evidence: Evidence[];
  claims: {
    criterionId: string;
    status: string;
    evidence: string;
  }[];
  outputs: {
    kind: string;
    ref: string;
  }[];
  commit: string | null;
  /**
   * The first 200.
   */
  changedPaths: string[];
  /**
   * How many paths there are.
   */
  changed: number;
} | null;
/**
 * What became of its commit on the branch of the item.
 */
export type Merge =
  | {
      kind: 'none';
    }
  | {
      kind: 'merged';
      head: string;
    }
  | {
      kind: 'conflict';
      paths: string[];
      ours: string;
      theirs: string;
    };
export type Run = RunLine & {
  /**
   * Of its lease; only grows.
   */
  epoch: number;
  /**
   * The worker that carried it.
   */
  owner: string;
  /**
   * Nothing else ran beside it, for it was suspected of killing its engine.
   */
  alone: boolean;
  /**
   * What the sandbox held it to.
   */
  enforcement: {
    sandbox: 'bubblewrap' | 'none';
    filesystem: boolean;
    network: boolean;
    processes: boolean;
    reason?: string;
  } | null;
  agent: AgentManifest | null;
  receipts: Receipt[];
};
/**
 * The same command before the work.
 */
export type BaseRun = {
  verdict: string;
  exitCode: number | null;
  tail: string;
} | null;
export type AddedToken = Token & {
  /**
   * Shown this once.
   */
  token: string;
};
export type AddedWebhook = Webhook & {
  /**
   * To verify what comes; shown this once.
   */
  secret: string;
};
export type ItemFrame =
  | {
      event: 'event';
      id: string;
      data: Event;
    }
  | {
      event: 'live';
      data: LiveText;
    }
  | {
      event: 'live-end';
      data: LiveEnd;
    }
  | {
      event: 'reset';
      id: string;
      data: {};
    }
  | {
      event: 'bye';
      /**
       * Milliseconds.
       */
      retry: number;
      data: {};
    };
export type FeedFrame =
  | {
      event: 'ready';
      id: string;
      data: {};
    }
  | {
      event: 'item';
      id?: string;
      data: ItemChanged;
    }
  | {
      event: 'reset';
      id: string;
      data: {};
    }
  | {
      event: 'bye';
      /**
       * Milliseconds.
       */
      retry: number;
      data: {};
    };

export interface Paths {
  '/api/v1/work-items': {
    /**
     * Items, newest change first, with the number in each lane
     */
    get: {
      parameters: {
        query?: {
          lane?: 'needs_you' | 'active' | 'done' | 'draft';
          /**
           * Looked for in title and goal.
           */
          q?: string;
          /**
           * Exactly this one.
           */
          directory?: string;
          /**
           * Created by this tool: its `origin.client`.
           */
          origin?: string;
          /**
           * Created in this session of a tool.
           */
          session?: string;
          /**
           * Milliseconds; only what changed since. What needs a person is listed however old it is.
           */
          updatedFrom?: number;
          /**
           * With the directories to choose from.
           */
          facets?: 'true' | 'false';
          limit?: number;
          cursor?: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': ItemPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
    /**
     * Create an item from a goal; a Coordinator plans the work
     */
    post: {
      parameters: {
        header?: {
          'idempotency-key'?: string;
        };
      };
      requestBody: {
        content: {
          'application/json': NewItem;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Item;
          };
        };
        201: {
          content: {
            'application/json': Item;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/facets': {
    /**
     * Directories that items are in, by name, with the number in each lane
     */
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': DirectoryPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}': {
    /**
     * One item: contract, proof, cost, what may be done now
     */
    get: {
      parameters: {
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Item;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/requests': {
    /**
     * What waits for a person, over all items: requests and holds, oldest first
     */
    get: {
      parameters: {
        query?: {
          limit?: number;
          /**
           * nextCursor of the page before.
           */
          cursor?: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': InboxPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/events': {
    /**
     * What happened, oldest first
     */
    get: {
      parameters: {
        query?: {
          after?: number | null;
          limit?: number;
          /**
           * Only events of this type; may be said again.
           */
          type?: string[];
        };
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': EventPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/conversation': {
    /**
     * What was said, in order; the last entries unless told otherwise
     */
    get: {
      parameters: {
        query?: {
          /**
           * The first entries behind this event.
           */
          after?: number;
          /**
           * The last entries before this event.
           */
          before?: number;
          limit?: number;
        };
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': EntryPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/requests': {
    /**
     * What waits for a person
     */
    get: {
      parameters: {
        query?: {
          limit?: number;
          /**
           * nextCursor of the page before.
           */
          cursor?: string;
        };
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': RequestPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/actions': {
    /**
     * Its Actions, in the order in which they were made
     */
    get: {
      parameters: {
        query?: {
          limit?: number;
          /**
           * nextCursor of the page before.
           */
          cursor?: string;
        };
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': ActionPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/actions/{actionId}': {
    /**
     * One Action: what it is to do, what came of it, what may be done now
     */
    get: {
      parameters: {
        path: {
          id: string;
          actionId: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Action;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/actions/{actionId}/runs': {
    /**
     * Runs of an Action, newest first
     */
    get: {
      parameters: {
        query?: {
          limit?: number;
          /**
           * nextCursor of the page before.
           */
          cursor?: string;
        };
        path: {
          id: string;
          actionId: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': RunPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/actions/{actionId}/runs/{runId}': {
    /**
     * One Run: what ran, what was enforced, what was measured
     */
    get: {
      parameters: {
        path: {
          id: string;
          actionId: string;
          runId: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Run;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/calls': {
    /**
     * Model requests, newest first: tokens, cost, hashes of what was sent and answered
     */
    get: {
      parameters: {
        query?: {
          /**
           * A Run, or a turn of the Coordinator.
           */
          owner?: string;
          limit?: number;
          /**
           * nextCursor of the page before.
           */
          cursor?: string;
        };
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': ModelRequestPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/evidence': {
    /**
     * What proves each criterion, with the receipt of the check
     */
    get: {
      parameters: {
        query?: {
          limit?: number;
          /**
           * nextCursor of the page before.
           */
          cursor?: string;
        };
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': ProofPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/operations': {
    /**
     * Effects outside that are on their way, or whose end is not known
     */
    get: {
      parameters: {
        query?: {
          limit?: number;
          /**
           * nextCursor of the page before.
           */
          cursor?: string;
        };
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': OperationPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/timeline': {
    /**
     * What ran when, newest first: Runs of every Action, and requests of the Coordinator
     */
    get: {
      parameters: {
        query?: {
          limit?: number;
          /**
           * nextCursor of the page before.
           */
          cursor?: string;
        };
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': TimelinePage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/attachments': {
    /**
     * Send a file, to be named by its id in a goal, a message or an answer within a day
     */
    post: {
      parameters: {
        query: {
          /**
           * Name of the file; folders before it are left out.
           */
          name: string;
          /**
           * What its bytes must hash to, in hexadecimal.
           */
          sha256?: string;
        };
        header?: {
          /**
           * The same as RFC 9530 has it.
           */
          'content-digest'?: string;
        };
      };
      requestBody: {
        content: {
          'application/octet-stream': string;
        };
      };
      responses: {
        201: {
          content: {
            'application/json': Upload;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/attachments/{attachmentId}': {
    /**
     * A file that was sent, until it expires
     */
    get: {
      parameters: {
        header?: {
          /**
           * One range of bytes, such as `bytes=0-1023`.
           */
          range?: string;
        };
        path: {
          attachmentId: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/octet-stream': string;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/contents/{hash}': {
    /**
     * The bytes behind a hash that the item names: logs, diffs, prompts, answers of models, attachments
     */
    get: {
      parameters: {
        header?: {
          /**
           * One range of bytes, such as `bytes=0-1023`.
           */
          range?: string;
        };
        path: {
          id: string;
          hash: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/octet-stream': string;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/cost': {
    /**
     * Limits and their use, who was charged what, and what such an item usually takes
     */
    get: {
      parameters: {
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Cost;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/forecast': {
    /**
     * What an item of this shape would usually take, before there is one
     */
    get: {
      parameters: {
        query?: {
          /**
           * How many criteria it would have.
           */
          criteria?: number;
          target?: 'response' | 'workspace_files' | 'pull_request' | 'merge';
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Forecast;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/diff': {
    /**
     * What an item has changed so far
     */
    get: {
      parameters: {
        query?: {
          /**
           * Only this file.
           */
          path?: string;
          /**
           * `ignore`: lines that differ in white space only are the same.
           */
          whitespace?: 'show' | 'ignore';
        };
        header?: {
          /**
           * The ETag that is there already.
           */
          'if-none-match'?: string;
        };
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Diff;
          };
        };
        304: {
          content: {};
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/actions/{actionId}/diff': {
    /**
     * What the last completed Run of an Action has changed
     */
    get: {
      parameters: {
        query?: {
          /**
           * Only this file.
           */
          path?: string;
          /**
           * `ignore`: lines that differ in white space only are the same.
           */
          whitespace?: 'show' | 'ignore';
        };
        header?: {
          /**
           * The ETag that is there already.
           */
          'if-none-match'?: string;
        };
        path: {
          id: string;
          actionId: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Diff;
          };
        };
        304: {
          content: {};
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/actions/{actionId}/runs/{runId}/diff': {
    /**
     * What one Run has changed
     */
    get: {
      parameters: {
        query?: {
          /**
           * Only this file.
           */
          path?: string;
          /**
           * `ignore`: lines that differ in white space only are the same.
           */
          whitespace?: 'show' | 'ignore';
        };
        header?: {
          /**
           * The ETag that is there already.
           */
          'if-none-match'?: string;
        };
        path: {
          id: string;
          actionId: string;
          runId: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Diff;
          };
        };
        304: {
          content: {};
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/changed-file': {
    /**
     * A changed file as it was before or after: of the item, or of one Action or Run
     */
    get: {
      parameters: {
        query: {
          /**
           * One of the paths of the diff.
           */
          path: string;
          side?: 'before' | 'after';
          actionId?: string;
          runId?: string;
        };
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': ChangedFile;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/actions/{actionId}/workspace/diff': {
    /**
     * What a running Action has changed so far, committed or not
     */
    get: {
      parameters: {
        query?: {
          /**
           * Only this file.
           */
          path?: string;
          /**
           * `ignore`: lines that differ in white space only are the same.
           */
          whitespace?: 'show' | 'ignore';
          /**
           * Whole files up to so many bytes; of one file, its beginning.
           */
          maxBytes?: number;
        };
        header?: {
          /**
           * The ETag that is there already.
           */
          'if-none-match'?: string;
        };
        path: {
          id: string;
          actionId: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': LiveDiff;
          };
        };
        304: {
          content: {};
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/actions/{actionId}/workspace/files': {
    /**
     * Which files a running Action has changed so far
     */
    get: {
      parameters: {
        header?: {
          /**
           * The ETag that is there already.
           */
          'if-none-match'?: string;
        };
        path: {
          id: string;
          actionId: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': LiveFiles;
          };
        };
        304: {
          content: {};
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/actions/{actionId}/workspace/file': {
    /**
     * A file that a running Action has changed, as it is now
     */
    get: {
      parameters: {
        query: {
          path: string;
        };
        header?: {
          /**
           * The ETag that is there already.
           */
          'if-none-match'?: string;
        };
        path: {
          id: string;
          actionId: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': LiveFile;
          };
        };
        304: {
          content: {};
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/actions/{actionId}/runs/{runId}/output': {
    /**
     * What one Run printed: of a command its output, of an agent its transcript; while it runs, so far
     */
    get: {
      parameters: {
        header?: {
          /**
           * One range of bytes, such as `bytes=0-1023`.
           */
          range?: string;
        };
        path: {
          id: string;
          actionId: string;
          runId: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/octet-stream': string;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/vps': {
    /**
     * Who can carry out Actions
     */
    get: {
      parameters: {
        query?: {
          /**
           * A project that has an item: its VPs count, too.
           */
          directory?: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': VpPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/vps/{vpId}': {
    /**
     * One VP with its persona
     */
    get: {
      parameters: {
        query?: {
          /**
           * A project that has an item: its VPs count, too.
           */
          directory?: string;
        };
        path: {
          vpId: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Vp;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/models': {
    /**
     * Providers, whether their keys are there, what tags mean, and prices
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': Models;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/settings': {
    /**
     * What is set for the whole installation
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': CurrentSettings;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
    /**
     * Other settings in the place of these; local ones stay
     */
    put: {
      parameters: {
        header: {
          /**
           * The version that was read, in quotes: "3".
           */
          'if-match': string;
        };
      };
      requestBody: {
        content: {
          'application/json': Settings;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': CurrentSettings;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/workers': {
    /**
     * Engines that carry work, or did, last heard of first
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': Workers;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/enforcement': {
    /**
     * What is enforced on this machine, tried for real, and what doctor finds besides the store
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': Enforcement;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/disk': {
    /**
     * What each item holds on the disk, and what of it may go
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': DiskUse;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/disk/reclaim': {
    /**
     * Remove what may go; work that is in a workspace is kept under a ref first
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': Reclaim;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': DiskUse;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/tokens': {
    /**
     * Who may speak to this server, oldest first; never what they are recognised by
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': Tokens;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
    /**
     * Make a token, by the person at this machine only; the answer is the only place that shows it
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': NewToken;
        };
      };
      responses: {
        201: {
          content: {
            'application/json': AddedToken;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/tokens/{id}/revoke': {
    /**
     * Let a token in no more, from the next request on
     */
    post: {
      parameters: {
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': {};
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Token;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/suggestions': {
    /**
     * What set-up and which checks a directory seems to have, told from its files; nothing is run
     */
    get: {
      parameters: {
        query: {
          /**
           * Absolute path of the project.
           */
          directory: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Suggestions;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/checks/trial': {
    /**
     * Run a check on a directory as it is, before there is an item
     */
    post: {
      parameters: {};
      requestBody: {
        content: {
          'application/json': NewTrial;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': CheckTrial;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/evidence/rerun': {
    /**
     * Run checks again at the proven commit, in a clean checkout; changes nothing
     */
    post: {
      parameters: {
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': {
            /**
             * All when left out.
             *
             * @minItems 1
             * @maxItems 100
             */
            criterionIds?: string[];
          };
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Rerun;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/contract/versions': {
    /**
     * Every version of what was asked for
     */
    get: {
      parameters: {
        query?: {
          limit?: number;
          /**
           * nextCursor of the page before.
           */
          cursor?: string;
        };
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': ContractVersionPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/contract': {
    /**
     * What was asked for
     */
    get: {
      parameters: {
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Contract;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
    /**
     * Change parts of the contract; what cites them is done or proven again
     */
    patch: {
      parameters: {
        header: {
          'idempotency-key'?: string;
          /**
           * The version that was read, in quotes: "3".
           */
          'if-match': string;
        };
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': ContractPatch;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Contract;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/messages': {
    /**
     * Say something to the Coordinator or an Action
     */
    post: {
      parameters: {
        header?: {
          'idempotency-key'?: string;
        };
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': NewMessage;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Item;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/requests/{requestId}/resolution': {
    /**
     * Answer a request, once
     */
    post: {
      parameters: {
        header?: {
          'idempotency-key'?: string;
        };
        path: {
          id: string;
          requestId: string;
        };
      };
      requestBody: {
        content: {
          'application/json': Resolution;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Item;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/start': {
    /**
     * Start a draft
     */
    post: {
      parameters: {
        header?: {
          'idempotency-key'?: string;
        };
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': {};
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Item;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/reopen': {
    /**
     * Take up a cancelled item again
     */
    post: {
      parameters: {
        header?: {
          'idempotency-key'?: string;
        };
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': {};
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Item;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/stop': {
    /**
     * Stop; what is done is kept
     */
    post: {
      parameters: {
        header?: {
          'idempotency-key'?: string;
        };
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': {
            reason?: string;
          };
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Item;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/resume': {
    /**
     * Clear a hold
     */
    post: {
      parameters: {
        header?: {
          'idempotency-key'?: string;
        };
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': {
            controlVersion: number;
          };
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Item;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/extend': {
    /**
     * Add to its limits; it stays held until resumed
     */
    post: {
      parameters: {
        header?: {
          'idempotency-key'?: string;
        };
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': Extension;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Item;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/actions/{actionId}/retry': {
    /**
     * Another attempt at an Action and all that builds on it
     */
    post: {
      parameters: {
        header?: {
          'idempotency-key'?: string;
        };
        path: {
          id: string;
          actionId: string;
        };
      };
      requestBody: {
        content: {
          'application/json': {
            generation: number;
            guidance?: string;
          };
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Item;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/actions/{actionId}/redirect': {
    /**
     * Restart an unfinished Action with guidance
     */
    post: {
      parameters: {
        header?: {
          'idempotency-key'?: string;
        };
        path: {
          id: string;
          actionId: string;
        };
      };
      requestBody: {
        content: {
          'application/json': {
            generation: number;
            guidance: string;
          };
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Item;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/actions/{actionId}/close': {
    /**
     * Step over an Action; it proves nothing
     */
    post: {
      parameters: {
        header?: {
          'idempotency-key'?: string;
        };
        path: {
          id: string;
          actionId: string;
        };
      };
      requestBody: {
        content: {
          'application/json': {
            generation: number;
            reason?: string;
            cascade?: boolean;
          };
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Item;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/operations/{operationId}/resolution': {
    /**
     * Say what became of an effect whose end is not known
     */
    post: {
      parameters: {
        header?: {
          'idempotency-key'?: string;
        };
        path: {
          id: string;
          operationId: string;
        };
      };
      requestBody: {
        content: {
          'application/json': {
            effect: 'applied' | 'not_applied';
            reason?: string;
          };
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Item;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/webhooks': {
    /**
     * Who is told, oldest first
     */
    get: {
      parameters: {};
      responses: {
        200: {
          content: {
            'application/json': {
              webhooks: Webhook[];
            };
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
    /**
     * Tell a receiver what happens from now on; the answer is the only place that shows the secret
     */
    post: {
      parameters: {
        header?: {
          'idempotency-key'?: string;
        };
      };
      requestBody: {
        content: {
          'application/json': NewWebhook;
        };
      };
      responses: {
        201: {
          content: {
            'application/json': AddedWebhook;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/webhooks/{id}': {
    /**
     * One webhook, and whether it is disabled
     */
    get: {
      parameters: {
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Webhook;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
    /**
     * Tell it nothing more; its log goes with it
     */
    delete: {
      parameters: {
        path: {
          id: string;
        };
      };
      responses: {
        204: {
          content: {};
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/webhooks/{id}/deliveries': {
    /**
     * What it was told, newest first, with every attempt
     */
    get: {
      parameters: {
        query?: {
          limit?: number;
          /**
           * nextCursor of the page before.
           */
          cursor?: string;
        };
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'application/json': DeliveryPage;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/webhooks/{id}/test': {
    /**
     * Send a signed test at once, once, and say what the receiver answered
     */
    post: {
      parameters: {
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': {};
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Delivery;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/webhooks/{id}/enable': {
    /**
     * Let a disabled one go on where it stopped
     */
    post: {
      parameters: {
        path: {
          id: string;
        };
      };
      requestBody: {
        content: {
          'application/json': {};
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Webhook;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry': {
    /**
     * Send a delivery again, whatever became of it, under the same id
     */
    post: {
      parameters: {
        path: {
          id: string;
          deliveryId: string;
        };
      };
      requestBody: {
        content: {
          'application/json': {};
        };
      };
      responses: {
        200: {
          content: {
            'application/json': Delivery;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/work-items/{id}/stream': {
    /**
     * The events of one item as they happen, and text while it is being written
     */
    get: {
      parameters: {
        query?: {
          /**
           * In place of Last-Event-ID, for a first visit.
           */
          after?: string;
        };
        header?: {
          /**
           * The last id you had; browsers send it.
           */
          'last-event-id'?: string;
        };
        path: {
          id: string;
        };
      };
      responses: {
        200: {
          content: {
            'text/event-stream': ItemFrame;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
  '/api/v1/feed': {
    /**
     * Which item is at which version, as it changes
     */
    get: {
      parameters: {
        header?: {
          /**
           * The last id you had; browsers send it.
           */
          'last-event-id'?: string;
        };
      };
      responses: {
        200: {
          content: {
            'text/event-stream': FeedFrame;
          };
        };
        400: {
          content: {
            'application/problem+json': Problem;
          };
        };
        401: {
          content: {
            'application/problem+json': Problem;
          };
        };
        403: {
          content: {
            'application/problem+json': Problem;
          };
        };
        404: {
          content: {
            'application/problem+json': Problem;
          };
        };
        409: {
          content: {
            'application/problem+json': Problem;
          };
        };
        413: {
          content: {
            'application/problem+json': Problem;
          };
        };
        415: {
          content: {
            'application/problem+json': Problem;
          };
        };
        416: {
          content: {
            'application/problem+json': Problem;
          };
        };
        422: {
          content: {
            'application/problem+json': Problem;
          };
        };
        429: {
          content: {
            'application/problem+json': Problem;
          };
        };
        500: {
          content: {
            'application/problem+json': Problem;
          };
        };
        503: {
          content: {
            'application/problem+json': Problem;
          };
        };
      };
    };
  };
}
export interface ItemPage {
  items: ItemSummary[];
  /**
   * Send it as `cursor` for the next page; none: this was the last.
   */
  nextCursor?: string;
  counts: LaneCounts;
  facets?: DirectoryPage;
}
export interface ItemSummary {
  id: string;
  /**
   * Grows with every event; the larger of two is the newer.
   */
  version: number;
  title: string;
  /**
   * The project that it is about, on the machine of the server.
   */
  directory: string;
  lifecycle: 'draft' | 'open' | 'cancelling' | 'cancelled' | 'done';
  /**
   * Why nothing of it is started now.
   */
  holdCode?: string;
  lane: Lane;
  /**
   * Criteria with fresh proof.
   */
  proven: number;
  /**
   * Criteria.
   */
  total: number;
  /**
   * How each criterion stands; left out of items that did not move since an older version.
   */
  marks?: ProofMark[];
  /**
   * Millionths of a US dollar; null: no limit.
   */
  costLimitMicros: number | null;
  /**
   * Questions and approvals that wait for a person.
   */
  openRequests: number;
  /**
   * Live Runs.
   */
  running: number;
  /**
   * Who carries out those that do not wait for leave, each once; four of them at most.
   */
  atWork: Executor[];
  usage: Usage;
  /**
   * When it was created; milliseconds since 1970.
   */
  createdAt: number;
  /**
   * When something last happened; milliseconds since 1970.
   */
  updatedAt: number;
  /**
   * How it stands, in words that every surface uses.
   */
  statusSentence: string;
  /**
   * Why it cannot be read; `workcenter doctor` tells more.
   */
  quarantined?: string;
}
/**
 * `who`: a VP, the identity of a command, or the engine.
 */
export interface Executor {
  kind: 'command' | 'agent' | 'verify';
  who: string;
  model: string | null;
}
export interface Usage {
  /**
   * Milliseconds that Runs have worked.
   */
  wallMs: number;
  /**
   * To models.
   */
  requests: number;
  /**
   * Cache reads weighed by their price.
   */
  tokens: number;
  /**
   * Millionths of a US dollar.
   */
  costMicros: number;
  /**
   * Requests to models without a price.
   */
  unpriced: number;
  /**
   * False: an executor that reports no usage took part.
   */
  metered: boolean;
}
/**
 * Items in each lane; of one directory, where one was asked for.
 */
export interface LaneCounts {
  needs_you?: number;
  active?: number;
  done?: number;
  draft?: number;
}
export interface DirectoryPage {
  directories: DirectoryFacet[];
  /**
   * Send it as `cursor` for the next page; none: this was the last.
   */
  nextCursor?: string;
}
/**
 * A directory to narrow a list by.
 */
export interface DirectoryFacet {
  directory: string;
  counts: LaneCounts;
}
export interface Problem {
  type: 'about:blank';
  title: string;
  status: number;
  code: string;
  detail: string;
  expected?: string;
  found?: string;
  /**
   * What to do next.
   */
  next?: string;
}
export interface NewItem {
  goal: string;
  title?: string;
  /**
   * Without any, the goal itself is c1.
   *
   * @minItems 1
   * @maxItems 24
   */
  criteria?: NewCriterion[];
  setup?: NewSetup;
  delivery?: NewDelivery;
  instructions?: string;
  /**
   * Absolute path of the project.
   */
  directory: string;
  dirty?: 'refuse' | 'snapshot' | 'in-place';
  inPlace?: boolean;
  limits?: {
    wallClockSec?: number;
    attempts?: number;
    requests?: number;
    tokens?: number;
    runRequests?: number;
    costMicros?: number;
    allowUnmetered?: boolean;
  };
  origin?: {
    client: string;
    sessionId?: string;
    messageId?: string;
  };
  /**
   * @maxItems 48
   */
  background?: {
    role: 'user' | 'assistant';
    text: string;
  }[];
  /**
   * Ids of files that were sent to POST /attachments; at most 10 for one item, 50 MiB in all.
   *
   * @maxItems 100
   */
  attachments?: string[];
  reuseMemory?: boolean;
  /**
   * false: it stays a draft.
   */
  start?: boolean;
}
export interface NewCriterion {
  /**
   * c1, c2… by position unless given.
   */
  id?: string;
  text: string;
  check?: NewCheck;
  minProof?: 'self' | 'independent' | 'machine' | 'machine-protected';
}
/**
 * workspace_files unless given.
 */
export interface NewDelivery {
  target: 'response' | 'workspace_files' | 'pull_request' | 'merge';
  branch?: string;
}
export interface Item {
  id: string;
  /**
   * Grows with every event, and is the ETag.
   */
  version: number;
  /**
   * Send it as `If-Match` when changing the contract.
   */
  contractVersion: number;
  /**
   * Send it when resuming and extending.
   */
  controlVersion: number;
  title: string;
  goal: string;
  /**
   * draft, deciding, ready, running, waiting, needs_attention, cancelling, cancelled or done.
   */
  status: string;
  lane: Lane;
  /**
   * How it stands, in words that every surface uses.
   */
  sentence: string;
  /**
   * coordinated, graph or linear.
   */
  plan: string;
  directory: string;
  delivery: {
    target: string;
    branch?: string;
  };
  criteria: CriterionLine[];
  counts: {
    actions: number;
    running: number;
    requests: number;
  };
  usage: Usage;
  /**
   * The part of `usage` of requests whose end nobody knows, the newest 20 of them: charged at the estimate.
   */
  estimated: {
    requests: number;
    tokens: number;
    costMicros: number;
  };
  /**
   * null: none.
   */
  limits: {
    [k: string]: number | boolean | null;
  };
  /**
   * Nothing is started until a person resumes it.
   */
  hold: {
    code: string;
    /**
     * Since when; ISO 8601.
     */
    at: string;
    details: string;
  } | null;
  /**
   * When it is looked at again; ISO 8601.
   */
  parkedUntil: string | null;
  /**
   * The tool that created it; lists can be narrowed by it.
   */
  origin: {
    client: string;
    sessionId?: string;
    messageId?: string;
  } | null;
  /**
   * All files that came with the goal, messages and answers.
   */
  attachments: Attachment[];
  result: {
    summary: string;
    commit: string | null;
    branch: string | null;
    pullRequest: string | null;
    residualRisks: string[];
  } | null;
  can: ItemCan;
  /**
   * When it was created; ISO 8601.
   */
  createdAt: string;
  /**
   * When something last happened; ISO 8601.
   */
  updatedAt: string;
}
export interface CriterionLine {
  id: string;
  text: string;
  /**
   * The command that decides it.
   */
  check: string | null;
  /**
   * The proof that it takes.
   */
  minProof: string;
  standing: Standing;
  proof: ProofStrength | null;
  /**
   * What the receipt warns of.
   */
  flags: string[];
  /**
   * The Action whose write made its proof stale.
   */
  staledBy: string | null;
}
export interface Attachment {
  name: string;
  mediaType: string;
  bytes: number;
  /**
   * SHA-256; GET …/contents/{hash} has the bytes.
   */
  hash: string;
}
/**
 * For each change of the item: whether it may be asked for now.
 */
export interface ItemCan {
  start: Can;
  stop: Can;
  reopen: Can;
  resume: Can;
  extend: Can;
  message: Can;
  edit: Can;
  rerun: Can;
}
export interface InboxPage {
  lines: InboxLine[];
  /**
   * How many lines there are on all pages together.
   */
  total: number;
  /**
   * Send it as `cursor` for the next page; none: this was the last.
   */
  nextCursor?: string;
}
/**
 * Either a request or a hold.
 */
export interface InboxLine {
  item: {
    id: string;
    title: string;
    directory: string;
    sentence: string;
    /**
     * Send it when resuming and extending.
     */
    controlVersion: number;
  };
  request: Request | null;
  hold: Hold | null;
}
export interface Request {
  id: string;
  kind: 'question' | 'approval' | 'confirmation' | 'recovery';
  /**
   * What it blocks; `kind` says what else is in it.
   */
  subject: {
    kind: string;
    [k: string]: unknown;
  };
  question: string;
  details: string[];
  /**
   * One of these is the answer; `text`: free words.
   */
  choices: string[];
  /**
   * Proposed words where `text` is a choice.
   */
  options?: string[];
  /**
   * When it was asked; milliseconds since 1970.
   */
  openedAt: number;
  can: {
    answer: Can;
  };
}
/**
 * Nothing of the item is started until a person resumes it.
 */
export interface Hold {
  /**
   * `quarantined`: the item cannot be read.
   */
  code: string;
  details: string;
  /**
   * Since when; milliseconds since 1970.
   */
  at: number;
  can: {
    resume: Can;
    extend: Can;
  };
}
export interface EventPage {
  events: Event[];
  /**
   * Others follow in the direction that was asked for.
   */
  more: boolean;
}
export interface Event {
  /**
   * From 1 without gaps; what the stream has as its id.
   */
  seq: number;
  /**
   * When it happened; milliseconds since 1970.
   */
  at: number;
  body: {
    type: string;
    [k: string]: unknown;
  };
}
export interface EntryPage {
  entries: Entry[];
  /**
   * Others follow in the direction that was asked for.
   */
  more: boolean;
}
export interface Entry {
  /**
   * The event that brought it: the order of entries.
   */
  seq: number;
  id: string;
  /**
   * When it was said; milliseconds since 1970.
   */
  at: number;
  author: 'person' | 'coordinator';
  /**
   * Whom it is for, or what it answers.
   */
  target: {
    kind: string;
    id: string | null;
  };
  text: string;
  /**
   * Words of another that it is about.
   */
  quote: {
    from: string;
    text: string;
  } | null;
  attachments: Attachment[];
  /**
   * `blocked` and `rejected`: nobody will hear it; `detail` says why.
   */
  delivery: 'queued' | 'scheduled' | 'delivered' | 'blocked' | 'rejected';
  detail: string | null;
}
export interface RequestPage {
  requests: Request[];
  /**
   * Send it as `cursor` for the next page; none: this was the last.
   */
  nextCursor?: string;
}
export interface ActionPage {
  actions: ActionLine[];
  total: number;
  /**
   * Send it as `cursor` for the next page; none: this was the last.
   */
  nextCursor?: string;
}
export interface ActionLine {
  id: string;
  ordinal: number;
  name: string;
  type: string;
  status: 'ready' | 'running' | 'waiting' | 'completed' | 'failed' | 'closed' | 'superseded' | 'cancelled';
  /**
   * How its last Run ended; `unknown`: nobody knows whether it took effect.
   */
  lastRunStatus: string | null;
  /**
   * Send it when changing the Action: another is not touched.
   */
  generation: number;
  executor: Executor;
  /**
   * The Run that is live.
   */
  runId: string | null;
  /**
   * Charged to this generation.
   */
  attempts: number;
  /**
   * Of all generations.
   */
  runs: number;
  /**
   * Written to this generation.
   */
  messages: number;
  /**
   * Criteria, Actions that block, or `delivery`.
   */
  for: string[];
  dependsOn: string[];
  /**
   * Other Actions that changed a file which it changed, too, and neither builds on the other.
   */
  sharesFilesWith: string[];
  /**
   * How long its ended Runs took together.
   */
  wallMs: number;
  can: ActionCan;
}
/**
 * For each change of the Action: whether it may be asked for now.
 */
export interface ActionCan {
  retry: Can;
  redirect: Can;
  close: Can;
  message: Can;
}
/**
 * What an executor showed for its result; untrusted words.
 */
export interface Evidence {
  kind: string;
  label: string;
  /**
   * A path in the project, a commit, a URL, or the hash of a content.
   */
  ref?: string;
  status?: string;
}
export interface RunPage {
  runs: RunLine[];
  /**
   * Send it as `cursor` for the next page; none: this was the last.
   */
  nextCursor?: string;
}
export interface RunLine {
  id: string;
  actionId: string;
  generation: number;
  ordinal: number;
  status:
    | 'running'
    | 'completed'
    | 'waiting'
    | 'retryable'
    | 'failed'
    | 'interrupted'
    | 'cancelled'
    | 'superseded'
    | 'unknown';
  startedAt: number;
  dispatchedAt: number | null;
  endedAt: number | null;
  /**
   * Commit that it started from.
   */
  base: string | null;
  /**
   * What it made.
   */
  commit: string | null;
  /**
   * Why it did not complete.
   */
  code: string | null;
  summary: string;
  error: string | null;
  attemptCharged: boolean;
  usage: Usage | null;
}
/**
 * What the agent was made of; the prompts are contents under their hashes.
 */
export interface AgentManifest {
  vp: string;
  vpHash: string;
  model: string;
  effort?: string;
  tools: string[];
  policyHash: string;
  systemHash: string;
  contextHash: string;
  omitted: string[];
  contractVersion: number;
}
export interface Receipt {
  criterionId: string;
  criterionVersion: number;
  verdict: string;
  command: string;
  /**
   * Commit that was checked, or `content:HASH` without git.
   */
  at: string;
  exitCode: number | null;
  durationMs: number;
  base: BaseRun;
  /**
   * The whole is at `…/contents/{hash}`.
   */
  log: {
    hash: string;
    bytes: number;
    tail: string;
  };
  /**
   * What to beware of, such as `tests_changed`.
   */
  flags: string[];
  /**
   * Paths behind the flags.
   */
  changed: string[];
  /**
   * Their diff, at `…/contents/{hash}`.
   */
  diffHash: string | null;
  /**
   * Version of the engine that ran it.
   */
  engine: string;
}
export interface ModelRequestPage {
  calls: ModelRequest[];
  /**
   * Send it as `cursor` for the next page; none: this was the last.
   */
  nextCursor?: string;
}
/**
 * What was sent and answered are contents under the hashes.
 */
export interface ModelRequest {
  id: string;
  seq: number;
  owner: {
    kind: 'run' | 'turn';
    id: string;
    actionId: string | null;
  };
  n: number;
  model: string;
  status: 'prepared' | 'dispatching' | 'rejected' | 'responded' | 'unknown' | 'abandoned';
  tries: number;
  /**
   * As the provider told them; null when it did not.
   */
  tokens: {
    input: number;
    output: number;
    cacheRead: number;
    cacheWrite: number;
    reasoning: number;
  } | null;
  estimate: Charge;
  charged: Charge | null;
  requestHash: string;
  responseHash: string | null;
  stop: string | null;
  code: string | null;
  error: string | null;
  preparedAt: number;
  dispatchedAt: number | null;
  endedAt: number | null;
}
/**
 * Millionths of a US dollar; null: the model has no price.
 */
export interface Charge {
  tokens: number;
  costMicros: number | null;
}
export interface ProofPage {
  criteria: Proof[];
  /**
   * Send it as `cursor` for the next page; none: this was the last.
   */
  nextCursor?: string;
}
export interface Proof {
  id: string;
  version: number;
  text: string;
  check: string | null;
  minProof: string;
  standing: Standing;
  proof: ProofStrength | null;
  flags: string[];
  staledBy: string | null;
  /**
   * The claim that decided.
   */
  claim: {
    status: 'passed' | 'failed';
    by: 'machine' | 'executor';
    actionId: string;
    generation: number;
    runId: string;
    at: number;
    evidence: string;
    receipt: Receipt | null;
  } | null;
}
export interface OperationPage {
  operations: Operation[];
  /**
   * Send it as `cursor` for the next page; none: this was the last.
   */
  nextCursor?: string;
}
/**
 * Something that acts outside, once.
 */
export interface Operation {
  id: string;
  actionId: string;
  runId: string;
  what: string;
  tool: string | null;
  effect: 'pending' | 'applied' | 'not_applied' | 'unknown';
  can: {
    resolve: Can;
  };
}
export interface TimelinePage {
  spans: Span[];
  /**
   * Those that the Runs of this page are of.
   */
  actions: TimelineAction[];
  /**
   * Send it as `cursor` for the next page; none: this was the last.
   */
  nextCursor?: string;
}
/**
 * Something that took time.
 */
export interface Span {
  kind: 'run' | 'turn';
  /**
   * The Run; or the turn, which comes once for each of its model requests.
   */
  id: string;
  /**
   * Null for a turn.
   */
  actionId: string | null;
  /**
   * Of the Run; or which request of the turn it is.
   */
  ordinal: number;
  startedAt: number;
  /**
   * Null while it goes on.
   */
  endedAt: number | null;
  /**
   * Of the Run, or of the model request.
   */
  status: string;
  /**
   * Why a Run failed; `claim_refused`: the check of the engine did not find what it claimed.
   */
  code: string | null;
}
export interface TimelineAction {
  id: string;
  name: string;
  kind: 'command' | 'agent' | 'verify';
  dependsOn: string[];
  /**
   * Where it works: in the directory itself, in the one clone that such Actions share, or in one of its own.
   */
  workspace: 'in-place' | 'shared' | 'isolated-write' | 'integrate' | 'read';
  /**
   * What became of what it wrote, on the branch of the item; `none` also where it wrote nothing.
   */
  merge: 'none' | 'merged' | 'conflict';
}
export interface Upload {
  /**
   * Name it under `attachments` of a goal, a message or an answer.
   */
  id: string;
  name: string;
  /**
   * What its bytes are.
   */
  mediaType: string;
  bytes: number;
  sha256: string;
  /**
   * Until when it may be named; ISO 8601.
   */
  expiresAt: string;
}
export interface Cost {
  limits: {
    what: 'requests' | 'tokens' | 'costMicros' | 'wallMs';
    limit: number | null;
    used: number;
    reserved: number;
  }[];
  runRequests: number;
  attempts: number;
  total: CostShare;
  byWho: CostShare[];
  byModel: CostShare[];
  /**
   * Actions with Runs that report nothing themselves.
   */
  unmetered: string[];
  /**
   * Only the newest 20,000 requests were added up.
   */
  cut: boolean;
  uncertain: {
    id: string;
    model: string;
    charge: {
      tokens: number;
      /**
       * Millionths of a US dollar.
       */
      costMicros: number | null;
    };
  }[];
  forecast: Forecast;
}
export interface CostShare {
  /**
   * `all`, `coordinator`, an Action, or a model.
   */
  name: string;
  requests: number;
  /**
   * As charged: cache reads weigh what they cost.
   */
  tokens: number;
  /**
   * Millionths of a US dollar.
   */
  costMicros: number;
  /**
   * Requests without a price; their money is not in the sum.
   */
  unpriced: number;
  /**
   * Requests whose end nobody knows, charged by estimate.
   */
  uncertain: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  reasoning: number;
}
export interface Forecast {
  /**
   * Finished items it rests on, or none.
   */
  basis: 'similar' | 'all' | 'default';
  n: number;
  tokens: {
    low: number;
    median: number;
    high: number;
  };
  requests: {
    low: number;
    median: number;
    high: number;
  };
  wallMs: {
    low: number;
    median: number;
    high: number;
  };
  costMicros: {
    low: number;
    median: number;
    high: number;
  } | null;
}
export interface Diff {
  /**
   * The commit that it starts from.
   */
  from: string;
  to: string;
  /**
   * A unified diff; binary files are named, not shown.
   */
  text: string;
  /**
   * There is more than 1 MiB of it; the rest is in the item branch.
   */
  truncated: boolean;
  /**
   * Where it is truncated: the first 1,000 paths that are not in it. Read one by `path`.
   */
  omitted: string[];
}
export interface ChangedFile {
  commit: string;
  path: string;
  state: 'text' | 'binary' | 'too_large' | 'symlink' | 'submodule' | 'absent';
  /**
   * Of text: all of it. Of a link: where it leads. Of a submodule: its commit.
   */
  text: string | null;
  bytes: number | null;
}
export interface LiveDiff {
  /**
   * The Run that works there now.
   */
  runId: string;
  /**
   * The commit that it started from; in place, the content.
   */
  from: string;
  /**
   * Names what is there now, by content.
   */
  tree: string;
  /**
   * Files that differ, however many of them are shown.
   */
  changed: number;
  /**
   * What was not read, and why: the first 100.
   */
  left: {
    path: string;
    reason: 'too_large' | 'too_many_files' | 'nested_repository' | 'submodule' | 'special_file' | 'unreadable';
  }[];
  /**
   * How many were not read.
   */
  leftOut: number;
  /**
   * A unified diff; binary files are named, not shown.
   */
  text: string;
  truncated: boolean;
  /**
   * Where it is truncated: the first 1,000 paths not in it.
   */
  omitted: string[];
}
export interface LiveFiles {
  /**
   * The Run that works there now.
   */
  runId: string;
  /**
   * The commit that it started from; in place, the content.
   */
  from: string;
  /**
   * Names what is there now, by content.
   */
  tree: string;
  /**
   * Files that differ, however many of them are shown.
   */
  changed: number;
  /**
   * What was not read, and why: the first 100.
   */
  left: {
    path: string;
    reason: 'too_large' | 'too_many_files' | 'nested_repository' | 'submodule' | 'special_file' | 'unreadable';
  }[];
  /**
   * How many were not read.
   */
  leftOut: number;
  /**
   * The first 400: Added, Modified, Deleted, Type changed.
   */
  files: {
    status: 'A' | 'M' | 'D' | 'T';
    path: string;
  }[];
}
export interface LiveFile {
  /**
   * The Run that works there now.
   */
  runId: string;
  /**
   * The commit that it started from; in place, the content.
   */
  from: string;
  /**
   * Names what is there now, by content.
   */
  tree: string;
  /**
   * Files that differ, however many of them are shown.
   */
  changed: number;
  /**
   * What was not read, and why: the first 100.
   */
  left: {
    path: string;
    reason: 'too_large' | 'too_many_files' | 'nested_repository' | 'submodule' | 'special_file' | 'unreadable';
  }[];
  /**
   * How many were not read.
   */
  leftOut: number;
  file: {
    path: string;
    state: 'text' | 'binary' | 'too_large' | 'symlink' | 'submodule' | 'absent';
    /**
     * Of text: all of it. Of a link: where it leads. Of a submodule: its commit.
     */
    text: string | null;
    bytes: number | null;
  };
}
export interface VpPage {
  vps: Vp[];
  /**
   * Not used: a nearer one has the same id.
   */
  hidden: {
    id: string;
    source: string;
    file: string | null;
  }[];
  /**
   * Files that are broken, or used in part.
   */
  problems: string[];
}
export interface Vp {
  id: string;
  name: string;
  /**
   * What it is for, in one line.
   */
  role: string;
  /**
   * Told to its model; Markdown.
   */
  persona: string;
  capabilities: string[];
  traits: string[];
  /**
   * provider/model or a tag; null: what the settings say.
   */
  model: string | null;
  effort: string | null;
  executor: 'agent' | 'command';
  /**
   * The only ones that it may use; null: no limit of its own.
   */
  tools: string[] | null;
  source: 'built-in' | 'project' | 'user' | 'claude-agents';
  /**
   * The end of its path; null: it is built in.
   */
  file: string | null;
  hash: string;
}
export interface Models {
  coordinator: {
    model: string | null;
    problem: {
      code: string;
      expected: string;
      found: string;
      next: string;
    } | null;
    priced: boolean;
  };
  providers: {
    name: string;
    protocol: string | null;
    /**
     * The variable that holds its key; its value is never told.
     */
    keyEnv: string | null;
    keyPresent: boolean;
    problem: {
      code: string;
      expected: string;
      found: string;
      next: string;
    } | null;
  }[];
  tags: {
    model: string | null;
    problem: {
      code: string;
      expected: string;
      found: string;
      next: string;
    } | null;
    tag: string;
  }[];
  prices: {
    asOf: string;
    entries: {
      model: string;
      from: 'built-in' | 'settings';
      /**
       * US dollars per million tokens, like all of them.
       */
      input: number;
      output: number;
      cacheRead: number | null;
      cacheWrite: number | null;
    }[];
  };
}
export interface CurrentSettings {
  /**
   * 0 until something was set.
   */
  version: number;
  settings: Settings;
  /**
   * Set as well, told and changed on the machine only.
   */
  local: string[];
  /**
   * Why defaults hold instead.
   */
  problem: string | null;
  /**
   * The git project that the server was started in, if any: the likeliest place of work.
   */
  project?: string;
}
export interface Settings {
  defaultDirectory?: string;
  globalInstructions?: string;
  instructions?: {
    [k: string]: string;
  };
  startImmediately?: boolean;
  models?: {
    tags?: {
      fast?: string;
      balanced?: string;
      ultimate?: string;
    };
    providers?: {
      [k: string]: {
        kind: 'anthropic' | 'openai' | 'openai-compatible';
        baseUrl?: string;
        keyEnv?: string;
      };
    };
    byType?: {
      [k: string]: string;
    };
    coordinator?: string;
  };
  prices?: {
    [k: string]: {
      input: number;
      output: number;
      cacheRead?: number;
      cacheWrite?: number;
      asOf?: string;
    };
  };
  limits?: {
    requests?: number;
    tokens?: number;
    runRequests?: number;
    attempts?: number;
    usd?: number;
    wallClockSec?: number;
    dailyTokens?: number;
    dailyUsd?: number;
    allowUnmetered?: boolean;
  };
  permissions?: unknown;
  trustedMcp?: string[];
  github?: {
    apiUrl?: string;
    tokenEnv?: string;
  };
  concurrency?: number;
  notify?: string;
  sandbox?: 'on' | 'off';
  minFreeBytes?: number;
  shutdownMs?: number;
}
export interface Workers {
  /**
   * Of this server.
   */
  version: string;
  workers: Worker[];
}
export interface Worker {
  owner: string;
  pid: number;
  version: string;
  /**
   * `run`: it carries one item and ends.
   */
  kind: 'server' | 'run';
  /**
   * `silent`: it has not been heard of for a while.
   */
  state: 'working' | 'silent' | 'stopped';
  /**
   * ISO 8601.
   */
  firstSeenAt: string;
  /**
   * ISO 8601.
   */
  heartbeatAt: string;
}
/**
 * What is enforced here, tried for real, and how the machine is.
 */
export interface Enforcement {
  /**
   * bubblewrap or none.
   */
  sandbox: string;
  filesystem: boolean;
  network: boolean;
  processes: boolean;
  /**
   * Why not all of it.
   */
  reason: string | null;
  checks: {
    grade: 'ok' | 'warn' | 'fail';
    what: string;
    fact: string;
    next: string | null;
  }[];
}
export interface DiskUse {
  freeBytes: number;
  databaseBytes: number;
  /**
   * Bytes that may go now; after reclaiming: that have gone.
   */
  reclaimable: number;
  /**
   * Of these: expired uploads, set-ups over their limit.
   */
  othersReclaimable: number;
  /**
   * Those that hold most, largest first; at most 200.
   */
  items: {
    itemId: string;
    /**
     * null: it belongs to no item of this store.
     */
    title: string | null;
    bytes: number;
    reclaimable: number;
    why: string;
  }[];
  /**
   * How many items hold something.
   */
  count: number;
  olderThanSec: number;
}
export interface Reclaim {
  /**
   * Items that ended less than this ago keep everything.
   */
  olderThanSec?: number;
}
export interface Tokens {
  tokens: Token[];
  /**
   * Whoever asks is the person at this machine.
   */
  mayAdd: boolean;
}
export interface Token {
  id: string;
  name: string;
  scopes: ('read' | 'create' | 'operate' | 'admin')[];
  /**
   * `agent`: what its holder says never counts as a person’s word.
   */
  authority: 'user' | 'agent';
  state: 'valid' | 'expired' | 'revoked';
  /**
   * ISO 8601.
   */
  createdAt: string;
  /**
   * ISO 8601.
   */
  expiresAt: string | null;
  /**
   * ISO 8601.
   */
  revokedAt: string | null;
  /**
   * ISO 8601.
   */
  lastUsedAt: string | null;
}
export interface NewToken {
  name: string;
  /**
   * @minItems 1
   * @maxItems 4
   */
  scopes?: ('read' | 'create' | 'operate' | 'admin')[];
  authority?: 'user' | 'agent';
  /**
   * For ever unless said.
   */
  expiresInSec?: number;
}
export interface Suggestions {
  /**
   * `unknown`: nothing was recognised.
   */
  ecosystem: string;
  /**
   * What the lock files ask for, as `workcenter new` takes it; none without one.
   */
  setup: {
    run: string;
    /**
     * The files that it was told from.
     */
    inputs: string[];
  } | null;
  /**
   * Commands of the project that may prove a criterion.
   */
  checks: {
    /**
     * What it proves.
     */
    text: string;
    run: string;
  }[];
}
export interface NewTrial {
  /**
   * Absolute path of the project.
   */
  directory: string;
  setup?: NewSetup;
  check: NewCheck;
  dirty?: 'refuse' | 'snapshot' | 'in-place';
  inPlace?: boolean;
}
export interface CheckTrial {
  /**
   * `passed` before the work: it will prove nothing.
   */
  verdict: 'passed' | 'wrong_exit' | 'output_mismatch' | 'timed_out' | 'killed' | 'not_found' | 'setup_failed';
  exitCode: number | null;
  durationMs: number;
  /**
   * The end of what it printed; at most 4,000 characters.
   */
  tail: string;
  /**
   * The commit it ran on, or content:HASH.
   */
  at: string | null;
  sandboxed: boolean;
  /**
   * It ran in the directory itself, not in a clean copy.
   */
  inPlace: boolean;
}
export interface Rerun {
  /**
   * Every check that was run again passed.
   */
  passed: boolean;
  receipts: Receipt[];
}
export interface ContractVersionPage {
  versions: ContractVersion[];
  /**
   * Send it as `cursor` for the next page; none: this was the last.
   */
  nextCursor?: string;
}
export interface ContractVersion {
  /**
   * When it came to be; milliseconds since 1970.
   */
  at: number;
  /**
   * Parts that differ from the version before; `criterion:ID` for a criterion.
   */
  changed: string[];
  contract: Contract;
}
/**
 * Parts may be sent back as they are; version, directory, workspace stay.
 */
export interface Contract {
  version: number;
  title: string;
  goal: string;
  instructions: string | null;
  criteria: {
    id: string;
    text: string;
    minProof: 'self' | 'independent' | 'machine' | 'machine-protected';
    check?: {
      run: string;
      cwd?: string;
      env?: {
        [k: string]: string;
      };
      timeoutSec: number;
      expectExit: number;
      expectOutput?: string;
      protect: string[];
      network: 'none' | 'loopback' | 'all';
    };
  }[];
  setup: {
    run: string;
    inputs: string[];
    network: 'none' | 'loopback' | 'all';
    timeoutSec: number;
  } | null;
  delivery: NewDelivery;
  directory: string;
  workspace: 'isolated' | 'in-place';
}
export interface ContractPatch {
  title?: string;
  goal?: string;
  /**
   * @minItems 1
   * @maxItems 24
   */
  criteria?: NewCriterion[];
  setup?:
    | string
    | {
        run: string;
        /**
         * @maxItems 100
         */
        inputs?: string[];
        network?: 'none' | 'loopback' | 'all';
        timeoutSec?: number;
      }
    | null;
  delivery?: NewDelivery;
  instructions?: string | null;
}
export interface NewMessage {
  target:
    | {
        kind: 'coordinator';
      }
    | {
        kind: 'action';
        actionId: string;
        generation?: number;
      };
  text: string;
  /**
   * Ids of files that were sent to POST /attachments; at most 10 for one item, 50 MiB in all.
   *
   * @maxItems 100
   */
  attachments?: string[];
  quote?: {
    from: string;
    text: string;
  };
  clientMessageId: string;
}
export interface Resolution {
  /**
   * One of those that the request offers.
   */
  choice: string;
  text?: string;
  /**
   * Ids of files that were sent to POST /attachments; at most 10 for one item, 50 MiB in all.
   *
   * @maxItems 100
   */
  attachments?: string[];
  clientMessageId?: string;
}
export interface Extension {
  wallClockSec?: number;
  attempts?: number;
  requests?: number;
  tokens?: number;
  runRequests?: number;
  costMicros?: number;
  controlVersion: number;
}
export interface Webhook {
  id: string;
  /**
   * What looks like a secret in it is not shown.
   */
  url: string;
  events: ('item.done' | 'item.cancelled' | 'item.held' | 'item.failed' | 'item.needs_you')[];
  createdAt: string;
  /**
   * No delivery was accepted since.
   */
  failingSince: string | null;
  disabled: {
    at: string;
    code: 'gone' | 'failing';
    reason: string;
  } | null;
}
export interface NewWebhook {
  url: string;
  /**
   * All when left out.
   *
   * @minItems 1
   */
  events?: ('item.done' | 'item.cancelled' | 'item.held' | 'item.failed' | 'item.needs_you')[];
  /**
   * whsec_ and base64; made when left out.
   */
  secret?: string;
}
export interface DeliveryPage {
  deliveries: Delivery[];
  nextCursor?: string;
}
export interface Delivery {
  /**
   * The webhook-id of every attempt.
   */
  id: string;
  webhookId: string;
  /**
   * Null for a test.
   */
  itemId: string | null;
  type: string;
  state: 'waiting' | 'delivered' | 'failed';
  createdAt: string;
  nextAt: string | null;
  attempts: {
    at: string;
    durationMs: number;
    status: number | null;
    error: string | null;
    /**
     * The beginning of what was answered.
     */
    answer: string;
  }[];
  /**
   * What is signed and sent.
   */
  body: string;
}
export interface LiveText {
  /**
   * `text` of a model, or `output` of a Run.
   */
  kind: 'text' | 'output';
  runId?: string;
  /**
   * In place of `runId` where the Coordinator speaks.
   */
  turnId?: string;
  actionId?: string;
  /**
   * The model request, with `text`.
   */
  callId?: string;
  /**
   * Where the text begins, in UTF-16 units; more than you have means that some was dropped.
   */
  offset: number;
  text: string;
}
export interface LiveEnd {
  /**
   * `text` of a model, or `output` of a Run.
   */
  kind: 'text' | 'output';
  runId?: string;
  /**
   * In place of `runId` where the Coordinator speaks.
   */
  turnId?: string;
  actionId?: string;
  /**
   * The model request, with `text`.
   */
  callId?: string;
}
export interface ItemChanged {
  id: string;
  version: number;
}
