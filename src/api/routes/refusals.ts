import { PROBLEM } from '../problem.ts';

const content = { 'application/problem+json': { schema: PROBLEM } };

/** How every route may refuse; the same in the document of each. */
export const REFUSALS = {
  400: { description: 'The request cannot be read.', content },
  401: { description: 'A token is missing, or is none that counts.', content },
  403: { description: 'It needs a person or a larger scope, or comes from another site.', content },
  404: { description: 'There is no such thing.', content },
  409: { description: 'It does not fit the state that it met.', content },
  413: { description: 'The body is too large.', content },
  415: { description: 'The body is no JSON by its Content-Type.', content },
  416: { description: 'The file does not reach that far.', content },
  422: { description: 'What was sent is not acceptable.', content },
  429: { description: 'Too many requests; Retry-After says when to come back.', content },
  500: { description: 'A defect of the server.', content },
  503: { description: 'The store is busy; try again.', content },
} as const;
