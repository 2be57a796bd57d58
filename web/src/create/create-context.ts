import { createContext, use } from 'react';
import type { ClientProblem } from '../../../src/client/index.ts';
import type { Fault, Field } from './compile-form.ts';
import type { Form } from './form.ts';
import type { Change } from './use-form.ts';

/** What every part of the form is given. */
export interface Create {
  readonly form: Form;
  readonly change: Change;
  /** Empty until it was tried to create; then as the form stands. */
  readonly faults: readonly Fault[];
  /** The server's refusal, with the part that it is about. */
  readonly refusal: { readonly problem: ClientProblem; readonly field: Field | undefined } | undefined;
  /** Changes the form and sends it again as it was sent before. */
  readonly resend: (part: Partial<Form>) => void;
  readonly attach: (files: readonly File[]) => void;
}

export const CreateContext = createContext<Create | undefined>(undefined);

export function useCreate(): Create {
  const create = use(CreateContext);
  if (!create) throw new Error('useCreate outside of the form');
  return create;
}
